-- How full the frontier is.
-- KEYS: prefix. ARGV: now_ms.
-- Returns: {leased, given up, outbox length, nodes alive, active jobs, pending jobs, then for each spider queued}.
-- include: _base.lua
local reply = {call('HLEN', P .. 'lease'), call('LLEN', P .. 'dead'), call('XLEN', P .. 'outbox'),
  call('ZCOUNT', P .. 'nodes', '(' .. now, '+inf'), call('SCARD', P .. 'active'), call('ZCARD', P .. 'pending')}
for _, spider in ipairs(SPIDERS) do
  local queued = 0
  for _, name in ipairs(call('ZRANGE', P .. 'ready:' .. spider, 0, -1)) do
    queued = queued + call('ZCARD', P .. 'q:' .. spider .. ':' .. name)
  end
  reply[#reply + 1] = queued
end
return reply
