-- include: _slots.lua
-- include: _lease_records.lua
-- Queues of commands: where a command waits, at which place, and what its URL needs.
local function job_of(id)
  return string.match(id, '^([^:]+):')
end

local function has_job(job)
  return job and job ~= '-'
end

local function load_command(id)
  local command = from_wire(call('HGET', PREFIX .. 'req', id))
  if command then command.id = id end
  return command
end

local function save_command(command)
  call('HSET', PREFIX .. 'req', command.id, to_wire(command))
end

local function is_search(command)
  return command.kind == 'search'
end

-- A search waits for its provider, a section is read from a stored page: neither waits for a host.
local function needs_no_host(command)
  return is_search(command) or command.kind == 'section'
end

-- Whether the command takes part in sharing pages; a watch (max_age_s 0) and a search do not.
local function is_shared(command)
  return command.h and command.h ~= '' and not is_search(command) and command.max_age_s ~= 0
end

-- The page that the command asked for first, before redirects: its URL and its page key (`h`, `asked_h`).
local function keep_asked(command)
  if not command.asked or command.asked == '' then command.asked, command.asked_h = command.url, command.h end
end

local function move_to(command, url, name, page_key, hop)
  keep_asked(command)
  command.url, command.slot, command.h, command.hop = url, name, page_key, hop
end

-- What the URL needs now: 'page' | 'refused' | 'moved' with the entry and its JSON, 'want' (a live lease fetches
-- it), or 'fetch'.
local function open(command)
  if not is_shared(command) then return 'fetch' end
  local text = call('GET', PREFIX .. 'page:' .. command.h)
  local entry = from_wire(text)
  if entry and (entry.v or WIRE) <= WIRE
      and now - (entry.at or 0) < math.min((command.max_age_s or math.huge) * 1000, entry.keep_ms or 0) then
    return entry.kind, entry, text
  end
  local other = call('GET', PREFIX .. 'fetching:' .. command.h)
  if other and other ~= command.id then
    local lease = lease_of(other)
    if lease and lease.lock == command.h then return 'want' end
  end
  return 'fetch'
end

-- The search spider serves searches alone.
local function spider_of(command)
  if command.spider == 'search' and not is_search(command) then return 'page' end
  return command.spider or 'page'
end

local function waits_for_person(command)
  return (command.person or '') ~= ''
end

local function queue_of(command, ready_made)
  local name = ready_made and '_' or command.slot or '_'
  if waits_for_person(command) and not ready_made then return PERSON, name end
  if command.render and name ~= '_' and not is_search(command) then return 'render', name end
  return spider_of(command), name
end

local function look_from(at, spider, name)
  call('ZADD', PREFIX .. 'ready:' .. spider, 'LT', at, name)
  if at < now + RECHECK_MS then wake('wake:' .. spider, at - now) end
end

local function is_own(spider)
  return string.sub(spider, 1, #OWN) == OWN
end

-- Where moves that are known lead; at most to the last hop that is allowed.
local function follow_moves(command)
  local need, entry = open(command)
  local from = command.hop or 0
  while need == 'moved' and (command.hop or 0) < MAX_REDIRECTS do
    move_to(command, entry.to.url, entry.to.slot, entry.to.h, (command.hop or 0) + 1)
    need, entry = open(command)
  end
  if (command.hop or 0) > from then save_command(command) end
  return need
end

-- Into the queue of its host (or `_`), behind what its job has there already. `want:<page_key>` names those in hosts'
-- queues who would take the page.
local function enqueue(command)
  local need = follow_moves(command)
  if waits_for_person(command) and need == 'page' then  -- another command has read it: nobody needs to be asked
    command.person = ''
    save_command(command)
  end
  local is_ready_made = need == 'page' or (need == 'refused' and not waits_for_person(command))
  local spider, name = queue_of(command, is_ready_made)
  if is_own(spider) and call('SADD', PREFIX .. 'own', spider) == 1 then own_spiders = nil end
  local host_slot, turns, job = slot(name), PREFIX .. 'turn:' .. name, job_of(command.id) or '-'
  local place = math.max(host_slot.virtual_time, tonumber(call('ZSCORE', turns, job) or 0)) + 1
  local score = (command.priority or 5) * 1e12 + place
  call('ZADD', PREFIX .. 'q:' .. spider .. ':' .. name, score, command.id)
  call('HSET', PREFIX .. 'queued', command.id, now)
  if name ~= '_' and is_shared(command) then call('ZADD', PREFIX .. 'want:' .. command.h, now, command.id) end
  call('ZREMRANGEBYSCORE', turns, '-inf', host_slot.virtual_time)
  call('ZADD', turns, place, job)
  call('PEXPIRE', turns, DAY)
  look_from(free_at(name), spider, name)
  return spider, name, score
end

local function leave_queue(spider, name, command)
  local queue = PREFIX .. 'q:' .. spider .. ':' .. name
  if call('ZREM', queue, command.id) == 0 then return false end
  call('HDEL', PREFIX .. 'queued', command.id)
  if name ~= '_' and is_shared(command) then call('ZREM', PREFIX .. 'want:' .. command.h, command.id) end
  if call('EXISTS', queue) == 0 then call('ZREM', PREFIX .. 'ready:' .. spider, name) end
  return true
end

-- Out of whichever queue it is in: its host's, or `_`.
local function remove(command)
  local spider, name = queue_of(command, false)
  return leave_queue(spider, name, command) or leave_queue(spider_of(command), '_', command)
end
