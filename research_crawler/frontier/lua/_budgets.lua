-- include: _base.lua
-- Budgets of model calls, in tokens and in millionths of a US dollar. `budget:<job>` holds the sums of what is spent
-- and reserved, and what each reservation holds by its id: its tokens, its money (`<id>$`), and the other accounts that
-- it is booked on (`<id>@`), which are those of its batch, of its day and its hour, and of its model on that day and
-- in that hour (`ledger:<account>`). `resv` holds the open
-- reservations, "job id" -> deadline.
local LEDGER_KEPT, HOURS_KEPT = 90 * DAY, 16 * DAY  -- sums of batches and days are kept so long, and those of hours

local function move(key, unit, is_open, was_open, before, amount)
  if before ~= 0 then call('HINCRBY', key, (was_open and 'reserved' or 'spent') .. unit, -before) end
  if amount ~= 0 or unit == '' then call('HINCRBY', key, (is_open and 'reserved' or 'spent') .. unit, amount) end
end

local function book(job, reservation, tokens, is_open, money, accounts)
  local key, member = PREFIX .. 'budget:' .. job, job .. ' ' .. reservation
  local before = tonumber(call('HGET', key, reservation) or 0)
  local paid = tonumber(call('HGET', key, reservation .. '$') or 0)
  local was_open = call('ZSCORE', PREFIX .. 'resv', member)
  call('HSET', key, reservation, tokens)
  if money > 0 or paid > 0 then call('HSET', key, reservation .. '$', money) end
  if accounts and accounts ~= '' then call('HSET', key, reservation .. '@', accounts) end
  move(key, '', is_open, was_open, before, tokens)
  move(key, '$', is_open, was_open, paid, money)
  for account in string.gmatch(call('HGET', key, reservation .. '@') or '', '%S+') do
    move(PREFIX .. 'ledger:' .. account, '', is_open, was_open, before, tokens)
    move(PREFIX .. 'ledger:' .. account, '$', is_open, was_open, paid, money)
    call('PEXPIRE', PREFIX .. 'ledger:' .. account, string.sub(account, 1, 5) == 'hour.' and HOURS_KEPT or LEDGER_KEPT)
  end
  if was_open and not is_open then call('ZREM', PREFIX .. 'resv', member) end
end

-- Spent and reserved tokens and money of an account: `budget:<job>` or `ledger:<account>`.
local function booked(key)
  local sums = call('HMGET', PREFIX .. key, 'spent', 'reserved', 'spent$', 'reserved$')
  return tonumber(sums[1] or 0) + tonumber(sums[2] or 0), tonumber(sums[3] or 0) + tonumber(sums[4] or 0)
end

-- A reservation nobody spent within its time counts in full: the call may have been made.
local function expire_reservations()
  for _, member in ipairs(call('ZRANGEBYSCORE', PREFIX .. 'resv', '-inf', now, 'LIMIT', 0, 1000)) do
    local job, reservation = string.match(member, '^(%S+) (%S+)$')
    local key = job and PREFIX .. 'budget:' .. job
    if job and call('HEXISTS', key, reservation) == 1 then
      local money = tonumber(call('HGET', key, reservation .. '$') or 0)
      book(job, reservation, tonumber(call('HGET', key, reservation)), false, money)
    else
      call('ZREM', PREFIX .. 'resv', member)
    end
  end
end
