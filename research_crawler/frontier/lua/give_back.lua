-- Put a leased command back. Only `transient` counts as an attempt; after the third, the command is given up.
-- KEYS: prefix. ARGV: id, token, why (transient | wait | render | no_page | drain | turn), url, slot, h (or ''), hop,
--   progress, now_ms. `wait` comes with the address that was reached, `render` with the first address in render mode,
--   `turn` with the slot of the provider that a search waits for, and with what the search has so far (JSON).
-- Returns: 'ok' or 'lost'.
-- include: _runs_when_full.lua
-- include: _leases.lua
local id, token, why, url, name, h, hop = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])

local function forget_missing_page(command)
  local entry = from_wire(call('GET', PREFIX .. 'page:' .. (command.h or '')))
  if entry and entry.kind == 'page' then call('DEL', PREFIX .. 'page:' .. command.h) end
end

local lease = owned(id, token)
local command = lease and load_command(id)
if not command then return 'lost' end
if why == 'no_page' then
  forget_missing_page(command)
elseif why == 'wait' and url ~= '' and not is_search(command) then
  move_to(command, url, name, h, hop)
elseif why == 'render' then
  move_to(command, url, name, h, 0)
  command.render, command.asked, command.asked_h = true, url, h
elseif why == 'turn' then
  command.slot, command.progress = name, ARGV[8]
end
try_again(command, lease, why == 'transient', true)
finish_script()
return 'ok'
