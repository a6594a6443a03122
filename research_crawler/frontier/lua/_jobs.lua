-- include: _leases.lua
-- include: _budgets.lua
-- Jobs: `job:<id>` holds each field of the record as JSON; fields that only the scripts use start with `_`. `v` is the
-- wire version of the release that wrote the record last; up to version 3, records had none.
local function job_field(job, field)
  local value = call('HGET', PREFIX .. 'job:' .. job, field)
  if value == '' then return nil end
  return value or nil
end

-- Whether a newer release wrote the record: a worker of this one leaves the job to workers of that one.
local function is_newer(job)
  return tonumber(job_field(job, 'v') or 0) > WIRE
end

-- These commands are gone from their queues or leases; permits stay until their downloads have ended.
local function withdraw_all(ids)
  local leased = {}
  for _, id in ipairs(ids) do
    local lease, command = lease_of(id), load_command(id)
    if lease then
      end_lease(id, lease, false)
      leased[#leased + 1] = id
    elseif command then
      remove(command)
    end
    forget(id)
  end
  if #leased > 0 then call('PUBLISH', PREFIX .. 'withdrawn', table.concat(leased, ' ')) end
end

-- Every open command of the job is withdrawn.
local function withdraw(job)
  local ids = call('SMEMBERS', PREFIX .. 'cmds:' .. job)
  table.sort(ids)
  withdraw_all(ids)
end

-- Timers that are due already ring at once, so that "run me again" does not wait for the next fire.
local function set_timers(job, timers, nonce)
  local before = job_field(job, '_timers')
  for member in string.gmatch(before or '', '[^\n]+') do call('ZREM', PREFIX .. 'timers', member) end
  local members = {}
  for i, timer in ipairs(timers) do
    members[i] = job .. ' ' .. timer.kind .. ' ' .. timer.no
    call('ZADD', PREFIX .. 'timers', timer.due, members[i])
    timer.member = members[i]
  end
  call('HSET', PREFIX .. 'job:' .. job, '_timers', table.concat(members, '\n'))
  table.sort(timers, function(a, b) return a.due < b.due or (a.due == b.due and a.member < b.member) end)
  for _, timer in ipairs(timers) do
    if timer.due <= now then ring(timer.member, nonce) end
  end
end

-- The batch that the job is a row of, else nil.
local function batch_of(job)
  return string.match(job_field(job, 'owner') or '', '^"([%w_-]+)"$')
end

-- Admitted jobs, exactly: neither over, nor pending, nor waiting for a person. Those that are rows are listed once more:
-- `rows:<batch>` by when they were admitted, `batches` with their number.
local function count_active(job, state)
  local counts = not FINAL[state] and state ~= '"pending"' and state ~= '"waiting_for_human"'
  call(counts and 'SADD' or 'SREM', PREFIX .. 'active', job)
  local batch = batch_of(job)
  if not batch then return end
  local rows = PREFIX .. 'rows:' .. batch
  if counts then call('ZADD', rows, 'NX', now, job) else call('ZREM', rows, job) end
  local left = call('ZCARD', rows)
  if left > 0 then call('HSET', PREFIX .. 'batches', batch, left) else call('HDEL', PREFIX .. 'batches', batch) end
end

-- Whether a job is under way that is no row of a batch.
local function has_single_jobs()
  local rows = 0
  for _, count in ipairs(call('HVALS', PREFIX .. 'batches')) do rows = rows + tonumber(count) end
  return call('SCARD', PREFIX .. 'active') > rows
end

-- A finished job leaves Redis after a day.
local function let_expire(job)
  for _, kind in ipairs({'job', 'found', 'ans', 'seen', 'cmds', 'mail', 'budget'}) do
    call('PEXPIRE', PREFIX .. kind .. ':' .. job, DAY)
  end
end

local function stop_waking(job)
  call('ZREM', PREFIX .. 'runnable', job)
  call('ZREM', PREFIX .. 'pending', job)
end

-- The job is over; `fields` are the last to be written (names and JSON, alternating), state among them.
local function end_job(job, state, fields)
  call('HSET', PREFIX .. 'job:' .. job, 'state', state, '_token', '', unpack(fields or {}))
  withdraw(job)
  call('DEL', PREFIX .. 'mail:' .. job)
  set_timers(job, {})
  stop_waking(job)
  count_active(job, state)
  let_expire(job)
  wake('job:' .. job, 0)
  wake('wake:jobs', 0)
end
