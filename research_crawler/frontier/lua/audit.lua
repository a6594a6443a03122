-- Checks the rules of the frontier: each command is in exactly one place; a slot is in `ready` exactly while its queue
-- holds something, and its time there is never too late; a job that is not over can be woken. It reads all keys, so
-- only `doctor` and the tests call it.
-- KEYS: prefix. ARGV: now_ms.
-- Returns: one line for each problem.
-- include: _jobs.lua
local problems, places = {}, {}
local function problem(...) problems[#problems + 1] = string.format(...) end

local function audit_queue(spider, name, look)
  local ids = call('ZRANGE', PREFIX .. 'q:' .. spider .. ':' .. name, 0, -1)
  if #ids == 0 then problem('ready:%s has %s, whose queue is empty', spider, name) end
  for _, id in ipairs(ids) do places[id] = (places[id] or 0) + 1 end
  local at = free_at(name)
  if spider == PERSON then return end  -- nobody looks there
  if look > math.max(at, now + RECHECK_MS) then problem('ready:%s looks at %s %d ms late', spider, name, look - at) end
end

local function audit_commands()
  for _, spider in ipairs(with_own(SPIDERS)) do
    local ready = call('ZRANGE', PREFIX .. 'ready:' .. spider, 0, -1, 'WITHSCORES')
    for i = 1, #ready, 2 do audit_queue(spider, ready[i], tonumber(ready[i + 1])) end
  end
  local waiting = call('ZRANGE', PREFIX .. 'ready:' .. PERSON, 0, -1)
  for _, name in ipairs(waiting) do audit_queue(PERSON, name, 0) end
  for _, id in ipairs(call('HKEYS', PREFIX .. 'lease')) do
    places[id] = (places[id] or 0) + 1
    local lease = lease_of(id)
    if not call('ZSCORE', PREFIX .. 'nodes', lease.node) then
      problem('%s is leased to %s, which nobody will reap', id, lease.node)
    elseif call('SISMEMBER', PREFIX .. 'held:' .. lease.node, id) == 0 then
      problem('%s is leased to %s, which does not hold it', id, lease.node)
    end
  end
  for _, id in ipairs(call('HKEYS', PREFIX .. 'req')) do
    if places[id] ~= 1 then problem('command %s is in %d places', id, places[id] or 0) end
    places[id] = nil
  end
  for id in pairs(places) do problem('%s is queued or leased without a command', id) end
end

local function has_timer(job)
  for member in string.gmatch(job_field(job, '_timers') or '', '[^\n]+') do
    if call('ZSCORE', PREFIX .. 'timers', member) then return true end
  end
  return false
end

local function audit_job(job, state)
  local mail, open = call('LLEN', PREFIX .. 'mail:' .. job), call('SCARD', PREFIX .. 'cmds:' .. job)
  local at = tonumber(call('ZSCORE', PREFIX .. 'runnable', job) or call('ZSCORE', PREFIX .. 'pending', job) or nil)
  local counts, batch = call('SISMEMBER', PREFIX .. 'active', job) == 1, batch_of(job)
  if batch and counts ~= (call('ZSCORE', PREFIX .. 'rows:' .. batch, job) ~= false) then
    problem('row %s is miscounted in its batch', job)
  end
  if FINAL[state] then
    if mail > 0 or open > 0 or at or has_timer(job) or counts then problem('job %s is over and has work', job) end
    return
  end
  if counts ~= (state ~= '"pending"' and state ~= '"waiting_for_human"') then problem('job %s is miscounted', job) end
  if not at and open == 0 and state ~= '"waiting_for_human"' and not has_timer(job) then
    problem('job %s has nothing that could wake it', job)
  elseif mail > 0 and not job_field(job, '_token') and (not at or at > now) then
    problem('job %s has mail and is not runnable', job)
  end
end

audit_commands()
for _, job in ipairs(call('ZRANGE', PREFIX .. 'jobs', 0, -1)) do
  local state = state_of(job)
  if state then audit_job(job, state) end
end
return problems
