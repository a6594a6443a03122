-- End a node properly: its commands and permits go back at once, without counting an attempt.
-- KEYS: prefix. ARGV: node, now_ms.
-- Returns: how many commands went back.
-- include: _runs_when_full.lua
-- include: _leases.lua
local node = ARGV[1]
local held = call('SMEMBERS', PREFIX .. 'held:' .. node)
table.sort(held)
for _, id in ipairs(held) do
  local lease, command = lease_of(id), load_command(id)
  if lease and command then try_again(command, lease, false, true) elseif lease then end_lease(id, lease, true) end
end
call('ZREM', PREFIX .. 'nodes', node)
if string.match(call('GET', PREFIX .. 'alone') or '', '^%S+') == node then call('DEL', PREFIX .. 'alone') end
finish_script()
return #held
