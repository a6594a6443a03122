-- Reserve an upper bound of tokens before a model call. The caller must hold the job (with the token of its take) or
-- the command whose id the call's name starts with (with the token of its lease).
-- KEYS: prefix. ARGV: job ('' or '-': none), call, token, bound, duration in ms, now_ms.
-- Returns: {'yes', reservation} | {'no', ''} (the ceiling does not allow it) | {'lost', ''}.
-- include: _jobs.lua
local job, name, token, bound, lasts = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
-- include: _callers.lua
local reservation = job .. ':' .. name .. ':' .. token

local function ceiling()
  local limits = from_wire(job_field(job, 'limits'))
  local most = limits and limits.max_tokens
  return type(most) == 'number' and most or math.huge
end

if not is_current(job, name, token) then return {'lost', ''} end
if not has_job(job) or job == '' or not state_of(job) then return {'yes', reservation} end
if call('HEXISTS', P .. 'budget:' .. job, reservation) == 0 then
  if booked(job) + bound > ceiling() then return {'no', ''} end
  call('ZADD', P .. 'resv', now + lasts, job .. ' ' .. reservation)
  book(job, reservation, bound, true)
end
return {'yes', reservation}
