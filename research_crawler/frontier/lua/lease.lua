-- Lease commands whose hosts are free, each with a permit of its host, or with the stored page or refusal.
-- KEYS: prefix. ARGV: node, free places, wire version the node reads, nonce, n, n spiders, now_ms.
-- Returns: {ms until the next command may be due (-1: nothing is queued), then for each lease
--   {id, token, 1 with a permit, the page entry's JSON or '', the command's JSON}}.
-- Order: within the queue of a host, the command with the lowest score is first; `enqueue` of `_queues.lua` gives it.
-- include: _refused_when_full.lua
-- include: _leases.lua
local MOST_SLOTS = 512        -- so many hosts of a spider are looked at in one call
local MOST_PASSED_OVER = 256  -- so many commands of a host's queue are passed over in one call
local node, free_places, wire, nonce = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local spiders, handed_out, wanted_pages, jobs_over = {}, {}, {}, {}
for i = 1, tonumber(ARGV[5]) do spiders[i] = ARGV[5 + i] end

-- Last tries. A command whose node has died each time has one attempt left (`reap.lua` marks it: `command.alone`). Should it be
-- what kills its nodes, no other command may die with it, so it runs on a node that has nothing else:
--   1. The first node that meets it is emptied for it: the key `alone` has "node id", and only one node at a time has it.
--   2. That node gets nothing more until it has ended what it works on (`is_refused`). Other nodes pass the command over.
--   3. Then it gets the last try and nothing beside it (`serve_alone`); if that cannot begin now, the key goes, and it
--      works as usual.
-- A key whose node is dead, or whose command has ended, counts for nothing.
local held_count = call('SCARD', PREFIX .. 'held:' .. node)
local emptied_node, last_try = string.match(call('GET', PREFIX .. 'alone') or '', '^(%S+) (%S+)$')
if emptied_node and emptied_node ~= node
    and not (call('ZSCORE', PREFIX .. 'nodes', emptied_node) and call('HEXISTS', PREFIX .. 'req', last_try) == 1) then
  emptied_node, last_try = nil, nil
end

local function is_job_over(job)
  if not has_job(job) then return false end
  if jobs_over[job] == nil then jobs_over[job] = FINAL[state_of(job) or ''] or false end
  return jobs_over[job]
end

local function hand_out(command, text, name, need, entry_text, spider, score)
  local host_slot = slot(name)
  host_slot.virtual_time, host_slot.dirty = math.max(host_slot.virtual_time, score % 1e12), true
  local lease = {token = new_token(nonce), node = node, since = now}
  leave_queue(spider, name, command)
  if need == 'fetch' and name ~= '_' then start(command, lease, name, command.hop or 0) end
  save_lease(command.id, lease)
  call('SADD', PREFIX .. 'held:' .. node, command.id)
  handed_out[#handed_out + 1] = {command.id, lease.token, lease.slot and 1 or 0, entry_text or '', text}
end

-- Have this node emptied for a last try, unless one is being emptied already.
local function empty_node_for(command)
  if emptied_node then return end
  emptied_node, last_try = node, command.id
  call('SET', PREFIX .. 'alone', node .. ' ' .. command.id, 'PX', 2 * LEASE_MAX_MS)
end

-- Answers whether a last try may begin on this node now. The node gets nothing beside it, and nothing before it.
local function make_room_for(command)
  if emptied_node ~= node or last_try ~= command.id then return false end
  local is_empty = held_count == 0 and #handed_out == 0
  free_places = is_empty and 1 or 0
  return is_empty
end

-- What happens with one command of a queue whose host is free: it is handed out, or it goes to the queue where it belongs
-- by now, or it ends. Answers true when it stays where it is (passed over), because
--   - only a newer node can read it,
--   - somebody else fetches its page just now, which it then takes from the store ('want'), or
--   - it is a last try, and this node is not emptied for it, or not empty yet.
local function consider(id, spider, name, score)
  local text = call('HGET', PREFIX .. 'req', id)
  local command = from_wire(text)
  if not command then
    -- What cannot be read goes to the node, which settles it as bad_command; what is not there, nowhere.
    if not text then leave_queue(spider, name, {id = id}) return false end
    hand_out({id = id}, text, name, 'unreadable', nil, spider, score)
    return false
  end
  command.id = id
  if is_job_over(job_of(id)) then
    leave_queue(spider, name, command)
    forget(id)
    return false
  end
  if (command.v or 1) > wire then return true end
  local need, _, entry_text  -- see `open`: 'page', 'refused', 'moved', 'want' or 'fetch'
  -- A page that is too old for one command may do for another.
  local wanted_page = (command.h or '') .. ' ' .. (command.max_age_s or 'kept')
  if is_shared(command) and wanted_pages[wanted_page] then
    need = 'want'
  else
    need, _, entry_text = open(command)
  end
  if need == 'want' then
    wanted_pages[wanted_page] = true
    return true
  elseif need == 'moved' and (command.hop or 0) >= MAX_REDIRECTS then
    leave_queue(spider, name, command)
    finish(id, outcome(command, 'failed', 'too_many_redirects'))
  elseif need == 'moved' or (need == 'fetch' and name == '_' and not needs_no_host(command)) then
    leave_queue(spider, name, command)
    enqueue(command)
  else
    if command.alone then
      empty_node_for(command)
      if not make_room_for(command) then return true end
    end
    hand_out(command, text, name, need, entry_text, spider, score)
  end
  return false
end

-- Have the queue of a slot looked at again at this time, or once the slot is free.
local function set_ready(spider, name, look_at)
  if call('EXISTS', PREFIX .. 'q:' .. spider .. ':' .. name) == 1 then
    call('ZADD', PREFIX .. 'ready:' .. spider, math.max(look_at, free_at(name)), name)
  end
end

-- Commands of one slot, in order, as long as the slot is free and the node has places.
local function serve(spider, name)
  local queue, look_at, passed_over = PREFIX .. 'q:' .. spider .. ':' .. name, 0, 0
  while true do
    if #handed_out >= free_places or free_at(name) > now then
      look_at = 0
      break
    end
    if passed_over >= MOST_PASSED_OVER then break end
    local id, score = unpack(call('ZRANGE', queue, passed_over, passed_over, 'WITHSCORES'))
    if not id then break end
    if consider(id, spider, name, tonumber(score)) then
      passed_over, look_at = passed_over + 1, now + RECHECK_MS
    end
  end
  set_ready(spider, name, look_at)
end

-- The last try that this node was emptied for, when its host is free now.
local function serve_alone(id)
  local command = load_command(id)
  if command then
    local spider, name = queue_of(command, false)
    for _, place in ipairs({{spider, name}, {spider_of(command), '_'}}) do
      local score = call('ZSCORE', PREFIX .. 'q:' .. place[1] .. ':' .. place[2], id)
      if score and #handed_out == 0 and free_at(place[2]) <= now then
        consider(id, place[1], place[2], tonumber(score))
        set_ready(place[1], place[2], 0)
      end
    end
  end
  if #handed_out == 0 then
    call('DEL', PREFIX .. 'alone')
    emptied_node, last_try = nil, nil
  end
end

local function serve_due(spider)
  local looked = 0
  while #handed_out < free_places and looked < MOST_SLOTS do
    local most = math.min(64, free_places - #handed_out)
    local due = call('ZRANGEBYSCORE', PREFIX .. 'ready:' .. spider, '-inf', now, 'LIMIT', 0, most)
    if #due == 0 then return end
    for _, name in ipairs(due) do
      if #handed_out >= free_places then return end
      serve(spider, name)
      looked = looked + 1
    end
  end
end

local function next_due()
  local soonest = -1
  for _, spider in ipairs(spiders) do
    local first = call('ZRANGE', PREFIX .. 'ready:' .. spider, 0, 0, 'WITHSCORES')
    if #first > 0 then
      local wait = math.max(0, tonumber(first[2]) - now)
      soonest = soonest < 0 and wait or math.min(soonest, wait)
    end
  end
  return soonest
end

local function is_refused()
  local deadline = tonumber(call('ZSCORE', PREFIX .. 'nodes', node) or 0)
  return deadline <= now or free_places <= 0 or (emptied_node == node and held_count > 0)
end

if is_refused() then return {next_due()} end
if emptied_node == node then serve_alone(last_try) end
if emptied_node ~= node then
  for _, spider in ipairs(spiders) do serve_due(spider) end
end
finish_script()
return {next_due(), unpack(handed_out)}
