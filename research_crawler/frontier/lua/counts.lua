-- Count what the frontier holds.
-- KEYS: prefix. ARGV: now_ms.
-- Returns: {leased, given up, outbox length, nodes alive, active jobs, pending jobs, then for each spider queued, and
--   for all spiders of projects together}.
-- include: _base.lua
local function queued(spiders)
  local sum = 0
  for _, spider in ipairs(spiders) do
    for _, name in ipairs(call('ZRANGE', PREFIX .. 'ready:' .. spider, 0, -1)) do
      sum = sum + call('ZCARD', PREFIX .. 'q:' .. spider .. ':' .. name)
    end
  end
  return sum
end

local reply = {call('HLEN', PREFIX .. 'lease'), call('LLEN', PREFIX .. 'dead'), call('XLEN', PREFIX .. 'outbox'),
  call('ZCOUNT', PREFIX .. 'nodes', '(' .. now, '+inf'), call('SCARD', PREFIX .. 'active'), call('ZCARD', PREFIX .. 'pending')}
for _, spider in ipairs(SPIDERS) do reply[#reply + 1] = queued({spider}) end
reply[#reply + 1] = queued(with_own({}))
return reply
