-- Take or return a permit of a model endpoint. While an interactive call waits, calls of batches get no permit.
-- KEYS: prefix. ARGV: origin, name (the reservation), 'take' | 'return' | 'block', 1 for a batch, ms (take: how long
--   the call may hold it; block: how long everybody waits), now_ms.
-- Returns: 0 if it was done, else ms until the caller should ask again.
-- include: _runs_when_full.lua
-- include: _slots.lua
local name, permit, what, is_batch, ms = 'model:' .. ARGV[1], ARGV[2], ARGV[3], ARGV[4] == '1', tonumber(ARGV[5])
local waiting = PREFIX .. 'asking:' .. name
local WAITS_MS = 1000  -- an interactive call that has not asked again for so long no longer waits

local function take()
  local wait = free_at(name) - now
  if slot(name).permits[permit] then return 0 end
  call('ZREMRANGEBYSCORE', waiting, '-inf', now)
  if wait == 0 and not (is_batch and call('EXISTS', waiting) == 1) then
    grant(name, permit, now + ms)
    call('ZREM', waiting, permit)
    return 0
  end
  if not is_batch then
    call('ZADD', waiting, now + WAITS_MS, permit)
    call('PEXPIRE', waiting, MINUTE)
  end
  return math.max(1, wait)
end

local wait = 0
if what == 'take' then
  wait = take()
elseif what == 'return' then
  drop(name, permit, 0)
  call('ZREM', waiting, permit)
  wake('wake:' .. name, 0)
else
  local s = slot(name)
  s.blocked, s.dirty = math.max(s.blocked, now + ms), true
end
finish_script()
return wait
