-- include: _leases.lua
-- Puts one command into the frontier; used by push and by commit.

-- ms until the host could start the command: its rest, and those before it in its queue.
local function expected_wait(spider, name, score)
  if name == '_' then return 0 end
  local s = slot(name)
  local before = call('ZCOUNT', PREFIX .. 'q:' .. spider .. ':' .. name, '-inf', '(' .. string.format('%.17g', score))
  return free_at(name) - now + math.floor(before * s.gap / s.most)
end

-- A request of a project's spider that is not to be made twice carries its fingerprint.
local function was_seen(command)
  if (command.fingerprint or '') == '' then return false end
  return call('SADD', PREFIX .. 'dupes:' .. command.spider, command.fingerprint) == 0
end

-- Answers the expected wait in ms; -1: not queued (busy, its event is delivered; or its job is over); -2: seen before.
local function push_one(text)
  local command = cjson.decode(text)
  local job = job_of(command.id)
  if call('HEXISTS', PREFIX .. 'req', command.id) == 1 then return math.max(0, free_at(command.slot or '_') - now) end
  if was_seen(command) then return -2 end
  local state = has_job(job) and state_of(job)
  if state and FINAL[state] then return -1 end
  if (command.max_wait_ms or 0) > 0 and not is_search(command) and open(command) == 'fetch' then
    local wait = free_at(command.slot or '_') - now
    if wait > command.max_wait_ms then
      finish(command.id, outcome(command, 'busy', 'host_busy', wait / 1000))
      return -1
    end
  end
  call('HSET', PREFIX .. 'req', command.id, text)
  if job then call('SADD', PREFIX .. 'cmds:' .. job, command.id) end
  return expected_wait(enqueue(command))
end
