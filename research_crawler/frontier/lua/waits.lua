-- Compute how long one more download would have to wait for each host, after those in the host's queue.
-- KEYS: prefix. ARGV: n, n slots, now_ms.
-- Returns: n times ms.
-- include: _slots.lua
local waits = {}
for i = 1, tonumber(ARGV[1]) do
  local name, queued = ARGV[1 + i], 0
  for _, spider in ipairs(with_own(SPIDERS)) do queued = queued + call('ZCARD', PREFIX .. 'q:' .. spider .. ':' .. name) end
  local s = slot(name)
  waits[i] = name == '_' and 0 or free_at(name) - now + math.floor(queued * s.gap / s.most)
end
return waits
