-- Reserve an upper bound of tokens and money before a model call, on the accounts of the job, its batch and the day. The
-- caller must hold the job (with the token of its take) or the command whose id the call's name starts with (with the
-- token of its lease).
-- KEYS: prefix. ARGV: job ('' or '-': none), call, token, bound in tokens, duration in ms, bound in millionths of a US
--   dollar, the day's ceilings in tokens and in millionths of a dollar (-1: none), the model without white space ('': not
--   told), now_ms.
-- Returns: {'yes', reservation} | {'no', '<job|batch|day> <tokens|money>'} (this ceiling does not allow it) | {'lost', ''}.
-- include: _runs_when_full.lua
-- include: _jobs.lua
local job, name, token, bound, lasts = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local money, day_tokens, day_money = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
-- include: _callers.lua
local reservation = job .. ':' .. name .. ':' .. token

local function ceiling(value)
  return type(value) == 'number' and value >= 0 and value or math.huge
end

-- The name of the ceiling that would be passed; nil if none is.
local function passed(key, who, tokens, dollars)
  local has_tokens, has_money = booked(key)
  if has_tokens + bound > tokens then return who .. ' tokens' end
  if has_money + money > dollars then return who .. ' money' end
end

local function refusal(limits, batch, day)
  return passed('budget:' .. job, 'job', ceiling(limits.max_tokens), ceiling(limits.max_usd) * 1e6)
    or batch and passed('ledger:' .. batch, 'batch', ceiling(limits.batch_max_tokens), ceiling(limits.batch_max_usd) * 1e6)
    or passed('ledger:' .. day, 'day', ceiling(day_tokens), ceiling(day_money))
end

-- Who holds the job or command keeps it as long as the call may last: whoever took it over would pay for it again.
local function allowed()
  call('ZADD', PREFIX .. 'calling', 'GT', now + lasts + CLAIM_MS, token)
  return {'yes', reservation}
end

if not is_current(job, name, token) then return {'lost', ''} end
if not has_job(job) or job == '' or not state_of(job) then return allowed() end
if call('HEXISTS', PREFIX .. 'budget:' .. job, reservation) == 0 then
  local limits = from_wire(job_field(job, 'limits')) or {}
  local inputs = from_wire(job_field(job, 'inputs')) or {}
  local batch = type(inputs.batch_id) == 'string' and inputs.batch_id ~= '' and 'batch.' .. inputs.batch_id or nil
  local day = 'day.' .. math.floor(now / DAY)
  local no = refusal(limits, batch, day)
  if no then return {'no', no} end
  call('ZADD', PREFIX .. 'resv', now + lasts, job .. ' ' .. reservation)
  local hour = 'hour.' .. math.floor(now / HOUR)
  local accounts = (batch and batch .. ' ' or '') .. day .. ' ' .. hour
  if ARGV[9] ~= '' then
    accounts = accounts .. ' ' .. day .. '|' .. ARGV[9] .. ' ' .. hour .. '|' .. ARGV[9]
    call('ZADD', PREFIX .. 'models', math.floor(now / DAY), ARGV[9])
    call('ZREMRANGEBYSCORE', PREFIX .. 'models', '-inf', '(' .. math.floor((now - LEDGER_KEPT) / DAY))
  end
  book(job, reservation, bound, true, money, accounts)
end
return allowed()
