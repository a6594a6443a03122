-- Take or return the permit of a host for a navigation of a person's browser: the host sees one polite client.
-- KEYS: prefix. ARGV: slot, permit, 'take' | 'return', now_ms.
-- Returns: 0 if it was done, else ms until the caller should ask again.
-- include: _slots.lua
local name, permit, wait = ARGV[1], ARGV[2], 0
if ARGV[3] == 'return' then
  drop(name, permit, slot(name).gap)
elseif not slot(name).permits[permit] then
  wait = free_at(name) - now
  if wait == 0 then grant(name, permit, now + PERMIT_MS) else wait = math.max(1, wait) end
end
finish_script()
return wait
