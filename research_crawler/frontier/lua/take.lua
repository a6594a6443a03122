-- Claim the next job that has something to decide. This script also admits pending jobs, so that the end of a job does
-- not have to wake them. The first take of a version fixes its clock, its seed and how many events it reads.
-- KEYS: prefix. ARGV: most admitted jobs, nonce, seed, the only job to claim or '', now_ms.
-- Returns: {} or {job, token, takes, now_ms, seed, {events}, {field, JSON, ...}}.
-- include: _jobs.lua
local most, nonce, seed, only = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]

local function next_job()
  if only ~= '' then
    local due = tonumber(call('ZSCORE', P .. 'runnable', only) or 'inf')
    return due <= now and only or nil
  end
  local job = call('ZRANGEBYSCORE', P .. 'runnable', '-inf', now, 'LIMIT', 0, 1)[1]
  if job then return job end
  if call('SCARD', P .. 'active') >= most then return nil end
  return call('ZRANGE', P .. 'pending', 0, 0)[1]
end

local function admit(job)
  call('HSET', P .. 'job:' .. job, 'state', '"planning"')
  call('ZREM', P .. 'pending', job)
  count_active(job, '"planning"')
end

local function give_up(job)
  local text = cjson.encode('given up: ' .. TAKES .. ' workers in a row did not get through a decision of this job')
  end_job(job, '"failed"', {'error', text})
end

local function claim(job, takes)
  local key, token = P .. 'job:' .. job, new_token(nonce)
  call('HSET', key, '_token', token, '_takes', takes, '_taken', now)
  call('ZADD', P .. 'runnable', now + CLAIM, job)
  if not job_field(job, '_upto') then
    call('HSET', key, '_now', now, '_seed', seed, '_upto', call('LLEN', P .. 'mail:' .. job))
  end
  local upto = tonumber(job_field(job, '_upto'))
  local events = upto > 0 and call('LRANGE', P .. 'mail:' .. job, 0, upto - 1) or {}
  return {job, token, takes, tonumber(job_field(job, '_now')), tonumber(job_field(job, '_seed')), events,
          call('HGETALL', key)}
end

local taken = {}
for _ = 1, 100 do
  local job = next_job()
  if not job then break end
  local state, takes = state_of(job), tonumber(job_field(job, '_takes') or 0) + 1
  if not state or FINAL[state] then
    stop_waking(job)
  elseif takes > TAKES then
    give_up(job)
  else
    if state == '"pending"' then admit(job) end
    taken = claim(job, takes)
    break
  end
end
finish_script()
return taken
