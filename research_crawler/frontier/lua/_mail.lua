-- include: _base.lua
-- Puts events into the mailboxes of jobs.
local FINAL = {['"completed"'] = true, ['"failed"'] = true, ['"cancelled"'] = true}  -- states of a job that is over

-- The stored state (JSON), or nil for an unknown job.
local function state_of(job)
  return call('HGET', PREFIX .. 'job:' .. job, 'state') or nil
end

-- Runnable now; a job never taken waits in `pending` until take admits it.
local function make_runnable(job, state)
  call('ZADD', PREFIX .. (state == '"pending"' and 'pending' or 'runnable'), 'LT', now, job)
  wake('wake:jobs', 0)
end

-- False when the job is unknown or over: the event is of no use to anybody.
local function deliver(job, event)
  local f = call('HMGET', PREFIX .. 'job:' .. job, 'state', '_token')
  if not f[1] or FINAL[f[1]] then return false end
  call('RPUSH', PREFIX .. 'mail:' .. job, event)
  if not f[2] or f[2] == '' then make_runnable(job, f[1]) end
  return true
end

-- A due timer "job kind number" as an event of its own.
local function ring(member, nonce)
  local job, kind, no = string.match(member, '^(%S+) (%S+) (%S+)$')
  local uid = string.format('%s:%s:%s:%s', job, kind, no, new_token(nonce))
  deliver(job, to_wire({uid = uid, kind = kind, job = job, no = tonumber(no)}))
  call('ZREM', PREFIX .. 'timers', member)
end
