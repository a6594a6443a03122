-- Forget which requests a project's spider has made, unless one of its commands is queued or leased. With "everything",
-- also drop its queued commands.
-- KEYS: prefix. ARGV: spider's queue, 1 for everything, now_ms.
-- Returns: how many commands were dropped; -1 if a command is open and nothing was done.
-- include: _leases.lua
local spider, everything, dropped = ARGV[1], ARGV[2] == '1', 0
local slots_queued = call('ZRANGE', PREFIX .. 'ready:' .. spider, 0, -1)

local function is_leased()
  for _, id in ipairs(call('HKEYS', PREFIX .. 'lease')) do
    local command = load_command(id)
    if command and command.spider == spider then return true end
  end
  return false
end

if not everything and (#slots_queued > 0 or is_leased()) then return -1 end
for _, name in ipairs(slots_queued) do
  for _, id in ipairs(call('ZRANGE', PREFIX .. 'q:' .. spider .. ':' .. name, 0, -1)) do
    leave_queue(spider, name, {id = id})
    forget(id)
    dropped = dropped + 1
  end
end
call('DEL', PREFIX .. 'dupes:' .. spider)
if not is_leased() then call('SREM', PREFIX .. 'own', spider) end
finish_script()
return dropped
