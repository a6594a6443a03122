-- Move the searches that wait for a provider to `_`, where a node chooses another provider for each, in their order.
-- KEYS: prefix. ARGV: slot, now_ms.
-- Returns: how many searches were moved.
-- include: _leases.lua
local name = ARGV[1]
local ids = name == '_' and {} or call('ZRANGE', PREFIX .. 'q:search:' .. name, 0, -1)
local moved = 0
for _, id in ipairs(ids) do
  local command = load_command(id)
  if command and is_search(command) then
    leave_queue('search', name, command)
    command.slot = '_'
    save_command(command)
    enqueue(command)
    moved = moved + 1
  end
end
finish_script()
return moved
