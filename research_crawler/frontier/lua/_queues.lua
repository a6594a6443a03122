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
  local c = from_wire(call('HGET', PREFIX .. 'req', id))
  if c then c.id = id end
  return c
end

local function save_command(c)
  call('HSET', PREFIX .. 'req', c.id, to_wire(c))
end

local function is_search(c)
  return c.kind == 'search'
end

-- A search waits for its provider, a section is read from a stored page: neither waits for a host.
local function needs_no_host(c)
  return is_search(c) or c.kind == 'section'
end

-- Whether the command takes part in sharing pages; a watch (max_age_s 0) and a search do not.
local function is_shared(c)
  return c.h and c.h ~= '' and not is_search(c) and (c.max_age_s or 86400) > 0
end

-- The page that the command asked for first, before redirects: its URL and its page key (`h`, `asked_h`).
local function keep_asked(c)
  if not c.asked or c.asked == '' then c.asked, c.asked_h = c.url, c.h end
end

local function move_to(c, url, name, h, hop)
  keep_asked(c)
  c.url, c.slot, c.h, c.hop = url, name, h, hop
end

-- What the URL needs now: 'page' | 'refused' | 'moved' with the entry and its JSON, 'want' (a live lease fetches
-- it), or 'fetch'.
local function open(c)
  if not is_shared(c) then return 'fetch' end
  local text = call('GET', PREFIX .. 'page:' .. c.h)
  local entry = from_wire(text)
  if entry and (entry.v or WIRE) <= WIRE
      and now - (entry.at or 0) < math.min((c.max_age_s or 86400) * 1000, entry.keep_ms or 0) then
    return entry.kind, entry, text
  end
  local other = call('GET', PREFIX .. 'fetching:' .. c.h)
  if other and other ~= c.id then
    local lease = lease_of(other)
    if lease and lease.lock == c.h then return 'want' end
  end
  return 'fetch'
end

-- The search spider serves searches alone.
local function spider_of(c)
  if c.spider == 'search' and not is_search(c) then return 'page' end
  return c.spider or 'page'
end

local function waits_for_person(c)
  return (c.person or '') ~= ''
end

local function queue_of(c, ready_made)
  local name = ready_made and '_' or c.slot or '_'
  if waits_for_person(c) and not ready_made then return PERSON, name end
  if c.render and name ~= '_' and not is_search(c) then return 'render', name end
  return spider_of(c), name
end

local function look_from(at, spider, name)
  call('ZADD', PREFIX .. 'ready:' .. spider, 'LT', at, name)
  if at < now + RECHECK_MS then wake('wake:' .. spider, at - now) end
end

local function is_own(spider)
  return string.sub(spider, 1, #OWN) == OWN
end

-- Where moves that are known lead; at most to the last hop that is allowed.
local function follow_moves(c)
  local what, entry = open(c)
  local from = c.hop or 0
  while what == 'moved' and (c.hop or 0) < REDIRECTS_MAX do
    move_to(c, entry.to.url, entry.to.slot, entry.to.h, (c.hop or 0) + 1)
    what, entry = open(c)
  end
  if (c.hop or 0) > from then save_command(c) end
  return what
end

-- Into the queue of its host (or `_`), behind what its job has there already. `want:<page_key>` names those in hosts'
-- queues who would take the page.
local function enqueue(c)
  local what = follow_moves(c)
  if waits_for_person(c) and what == 'page' then  -- another command has read it: nobody needs to be asked
    c.person = ''
    save_command(c)
  end
  local is_ready_made = what == 'page' or (what == 'refused' and not waits_for_person(c))
  local spider, name = queue_of(c, is_ready_made)
  if is_own(spider) and call('SADD', PREFIX .. 'own', spider) == 1 then own_spiders = nil end
  local s, turns, job = slot(name), PREFIX .. 'turn:' .. name, job_of(c.id) or '-'
  local place = math.max(s.virtual_time, tonumber(call('ZSCORE', turns, job) or 0)) + 1
  local score = (c.priority or 5) * 1e12 + place
  call('ZADD', PREFIX .. 'q:' .. spider .. ':' .. name, score, c.id)
  call('HSET', PREFIX .. 'queued', c.id, now)
  if name ~= '_' and is_shared(c) then call('ZADD', PREFIX .. 'want:' .. c.h, now, c.id) end
  call('ZREMRANGEBYSCORE', turns, '-inf', s.virtual_time)
  call('ZADD', turns, place, job)
  call('PEXPIRE', turns, DAY)
  look_from(free_at(name), spider, name)
  return spider, name, score
end

local function leave_queue(spider, name, c)
  local q = PREFIX .. 'q:' .. spider .. ':' .. name
  if call('ZREM', q, c.id) == 0 then return false end
  call('HDEL', PREFIX .. 'queued', c.id)
  if name ~= '_' and is_shared(c) then call('ZREM', PREFIX .. 'want:' .. c.h, c.id) end
  if call('EXISTS', q) == 0 then call('ZREM', PREFIX .. 'ready:' .. spider, name) end
  return true
end

-- Out of whichever queue it is in: its host's, or `_`.
local function remove(c)
  local spider, name = queue_of(c, false)
  return leave_queue(spider, name, c) or leave_queue(spider_of(c), '_', c)
end
