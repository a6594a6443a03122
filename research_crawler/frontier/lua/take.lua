-- Claim the next job that has something to decide. This script also admits pending jobs, so that the end of a job does
-- not have to wake them. The first take of a version fixes its clock, its seed and how many events it reads.
-- Batches and single jobs have turns: the pending job of who has the fewest jobs under way is admitted first, and while
-- a single job is under way, only so many rows of batches go on, those that were admitted first; the others wait.
-- A job that a newer release wrote is left to workers of that release.
-- KEYS: prefix. ARGV: most admitted jobs, rows that go on beside a single job (0: all), nonce, seed, the only job to claim
--   or '', now_ms.
-- Returns: {} or {job, token, takes, now_ms, seed, {events}, {field, JSON, ...}}.
-- include: _jobs.lua
-- At Redis' memory limit jobs that have begun go on, so that they end, and no other one begins.
local is_full = type(redis.pcall('SETRANGE', PREFIX .. 'none', 0, '')) == 'table'
if is_full then call('DEL', PREFIX .. 'none') end
local most, beside, nonce, seed, only = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local LOOKED_AT = 256  -- so many waiting jobs are read at once
local KEPT = 8         -- one place of so many is kept for who has no job under way

-- How many rows of each batch go on: all of them, or few while somebody waits for a single job.
local rows_going_on
local function most_rows()
  if not rows_going_on then
    local batches = call('HLEN', PREFIX .. 'batches')
    local is_limited = beside > 0 and batches > 0 and has_single_jobs()
    rows_going_on = is_limited and math.max(1, math.floor(beside / batches)) or math.huge
  end
  return rows_going_on
end

local function is_in_turn(job)
  local batch = batch_of(job)
  if not batch then return true end
  local place = call('ZRANK', PREFIX .. 'rows:' .. batch, job)
  return not place or place < most_rows()
end

local function due_job()
  local start = 0
  while true do
    local due = call('ZRANGEBYSCORE', PREFIX .. 'runnable', '-inf', now, 'LIMIT', start, LOOKED_AT)
    for _, job in ipairs(due) do
      if is_in_turn(job) and not is_newer(job) then return job end
    end
    if #due < LOOKED_AT then return nil end
    start = start + LOOKED_AT
  end
end

local function rows_of(job)
  local batch = batch_of(job)
  return batch and tonumber(call('HGET', PREFIX .. 'batches', batch) or 0) or 0
end

local function pending_job()
  local active, start, best, fewest = call('SCARD', PREFIX .. 'active'), 0, nil, math.huge
  if active >= most then return nil end
  while true do
    local pending = call('ZRANGE', PREFIX .. 'pending', start, start + LOOKED_AT - 1)
    for _, job in ipairs(pending) do
      local rows = is_newer(job) and math.huge or rows_of(job)
      if rows == 0 then return job end
      if rows < fewest then best, fewest = job, rows end
    end
    if #pending < LOOKED_AT then break end
    start = start + LOOKED_AT
  end
  if active >= most - math.floor(most / KEPT) or fewest >= most_rows() then return nil end
  return best
end

local function next_job()
  if only ~= '' then
    local due = tonumber(call('ZSCORE', PREFIX .. 'runnable', only) or 'inf')
    return due <= now and not is_newer(only) and only or nil
  end
  return due_job() or (not is_full and pending_job() or nil)
end

local function admit(job)
  call('HSET', PREFIX .. 'job:' .. job, 'state', '"planning"')
  call('ZREM', PREFIX .. 'pending', job)
  count_active(job, '"planning"')
  rows_going_on = nil
end

local function give_up(job)
  local text = cjson.encode('given up: ' .. TAKES_MAX .. ' workers in a row did not get through a decision of this job')
  end_job(job, '"failed"', {'error', text})
  rows_going_on = nil
end

local function claim(job, takes)
  local key, token = PREFIX .. 'job:' .. job, new_token(nonce)
  call('HSET', key, '_token', token, '_takes', takes, '_taken', now)
  call('ZADD', PREFIX .. 'runnable', now + CLAIM_MS, job)
  if not job_field(job, '_upto') then
    call('HSET', key, '_now', now, '_seed', seed, '_upto', call('LLEN', PREFIX .. 'mail:' .. job))
  end
  local upto = tonumber(job_field(job, '_upto'))
  local events = upto > 0 and call('LRANGE', PREFIX .. 'mail:' .. job, 0, upto - 1) or {}
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
  elseif takes > TAKES_MAX then
    give_up(job)
  else
    if state == '"pending"' then admit(job) end
    taken = claim(job, takes)
    break
  end
end
finish_script()
return taken
