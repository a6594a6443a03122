-- Put a leased command back. Only `transient` counts as an attempt; after the third, the command is given up.
-- KEYS: prefix. ARGV: id, token, why (transient | wait | render | no_page | drain | turn), url, slot, h (or ''), hop,
--   progress, now_ms. `wait` comes with the address that was reached, `render` with the first address in render mode,
--   `turn` with the slot of the provider that a search waits for, and with what the search has so far (JSON).
-- Returns: 'ok' or 'lost'.
-- include: _ends.lua
-- include: _leases.lua
local id, token, why, url, name, h, hop = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])

local function forget_missing_page(c)
  local entry = from_wire(call('GET', PREFIX .. 'page:' .. (c.h or '')))
  if entry and entry.kind == 'page' then call('DEL', PREFIX .. 'page:' .. c.h) end
end

local lease = owned(id, token)
local c = lease and load_command(id)
if not c then return 'lost' end
if why == 'no_page' then
  forget_missing_page(c)
elseif why == 'wait' and url ~= '' and not is_search(c) then
  move_to(c, url, name, h, hop)
elseif why == 'render' then
  move_to(c, url, name, h, 0)
  c.render, c.asked, c.asked_h = true, url, h
elseif why == 'turn' then
  c.slot, c.progress = name, ARGV[8]
end
try_again(c, lease, why == 'transient', true)
finish_script()
return 'ok'
