-- include: _base.lua
-- Token budgets: `budget:<job>` holds the sums of spent and reserved tokens, and the tokens of each reservation by its
-- id; `resv` holds the open reservations, "job id" -> deadline.
local function book(job, reservation, tokens, is_open)
  local key, member = P .. 'budget:' .. job, job .. ' ' .. reservation
  local before = tonumber(call('HGET', key, reservation) or 0)
  local was_open = call('ZSCORE', P .. 'resv', member)
  call('HSET', key, reservation, tokens)
  if before ~= 0 then call('HINCRBY', key, was_open and 'reserved' or 'spent', -before) end
  call('HINCRBY', key, is_open and 'reserved' or 'spent', tokens)
  if was_open and not is_open then call('ZREM', P .. 'resv', member) end
end

local function booked(job)
  local sums = call('HMGET', P .. 'budget:' .. job, 'spent', 'reserved')
  return tonumber(sums[1] or 0) + tonumber(sums[2] or 0)
end

-- A reservation nobody spent within its time counts in full: the call may have been made.
local function expire_reservations()
  for _, member in ipairs(call('ZRANGEBYSCORE', P .. 'resv', '-inf', now, 'LIMIT', 0, 1000)) do
    local job, reservation = string.match(member, '^(%S+) (%S+)$')
    if job and call('HEXISTS', P .. 'budget:' .. job, reservation) == 1 then
      book(job, reservation, tonumber(call('HGET', P .. 'budget:' .. job, reservation)), false)
    else
      call('ZREM', P .. 'resv', member)
    end
  end
end
