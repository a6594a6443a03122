-- Set how often and how many at once search providers may be called, by slot.
-- KEYS: prefix. ARGV: n, n times slot, delay_ms, most at once (0: the slot is that of a host, whose own delay holds; a
--   host without a delay gets this one); now_ms.
-- Returns: n times the ms for which the slot is closed after an error (429, 503, Retry-After).
-- include: _slots.lua
local closed = {}

local function set_pace(s, delay, most)
  if most == 0 then
    delay, most = math.max(s.delay, s.delay == 0 and delay or 0), nil
  end
  if delay == s.delay and most == s.own_most then return end
  s.delay, s.own_most, s.dirty, s.relook = delay, most, true, true
  call('HSET', PREFIX .. 'slot:' .. s.name, 'delay', delay)
  if most then call('HSET', PREFIX .. 'slot:' .. s.name, 'most', most) end
  allow(s)
end

for i = 1, tonumber(ARGV[1]) do
  local s = slot(ARGV[3 * i - 1])
  set_pace(s, tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1]))
  closed[i] = math.max(0, s.blocked - now)
end
finish_script()
return closed
