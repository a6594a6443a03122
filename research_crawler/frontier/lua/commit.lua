-- Store one decision of a job completely or not at all: changed fields, the events it read, new commands and timers.
-- KEYS: prefix. ARGV: job, token, version, state (JSON), withdraw (1 or 0), then five groups, each a count and its
--   values: fields (name, JSON), commands (JSON), timers (kind, number, due in ms), findings (JSON), seen (8 bytes);
--   now_ms. The timers replace the job's existing timers.
-- Returns: 'ok', 'lost' (another token or version) or 'refused' (nothing would ever wake the job again).
-- include: _runs_when_full.lua
-- include: _jobs.lua
-- include: _pushing.lua
local job, token, version, state, withdraws = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5] == '1'
local key, mail, at = PREFIX .. 'job:' .. ARGV[1], PREFIX .. 'mail:' .. ARGV[1], 6

local function group(width)
  local count, values = tonumber(ARGV[at]), {}
  for i = 1, count * width do values[i] = ARGV[at + i] end
  at = at + 1 + count * width
  return values
end

local fields, commands, timers, findings, seen = group(2), group(1), {}, nil, nil
local flat = group(3)
for i = 1, #flat, 3 do timers[#timers + 1] = {kind = flat[i], no = flat[i + 1], due = tonumber(flat[i + 2])} end
findings, seen = group(1), group(1)

local function append_all(command, to, values)
  for i = 1, #values, 1000 do call(command, to, unpack(values, i, math.min(i + 999, #values))) end
end

local function is_woken(upto)
  return call('LLEN', mail) > upto or #commands > 0 or #timers > 0 or state == '"waiting_for_human"'
    or (call('SCARD', PREFIX .. 'cmds:' .. job) > 0 and not withdraws)
end

local function write(upto)
  append_all('HSET', key, fields)
  append_all('RPUSH', PREFIX .. 'found:' .. job, findings)
  append_all('SADD', PREFIX .. 'seen:' .. job, seen)
  call('HSET', key, 'v', WIRE, 'state', state, 'version', version + 1, '_token', '', '_takes', 0, '_upto', '')
  if upto > 0 then call('LTRIM', mail, upto, -1) end
end

local function go_on()
  if withdraws then withdraw(job) end
  count_active(job, state)
  for _, command in ipairs(commands) do push_one(command) end
  set_timers(job, timers, token)
  if call('EXISTS', mail) == 1 then
    call('ZADD', PREFIX .. 'runnable', now, job)
    wake('wake:jobs', 0)
  else
    call('ZREM', PREFIX .. 'runnable', job)
  end
end

local f = call('HMGET', key, 'state', '_token', 'version', '_upto')
if not f[1] or FINAL[f[1]] or f[2] ~= token or f[3] ~= version then return 'lost' end
local upto = tonumber(f[4])
if not FINAL[state] and not is_woken(upto) then return 'refused' end
write(upto)
if FINAL[state] then end_job(job, state) else go_on() end
wake('job:' .. job, 0)
finish_script()
return 'ok'
