-- A node reports that it is alive. Commands that it has leased for 10 s and does not name are put back without counting
-- an attempt, because the reply with their lease was lost.
-- KEYS: prefix. ARGV: node, n, n times id, token and ms of work under the lease so far, now_ms.
-- Returns: the named ids that the node no longer holds.
-- include: _runs_when_full.lua
-- include: _leases.lua
local node, named, lost = ARGV[1], {}, {}
call('ZADD', PREFIX .. 'nodes', now + NODE_TIMEOUT_MS, node)
for i = 1, tonumber(ARGV[2]) do
  local id, token, worked = ARGV[3 * i], ARGV[3 * i + 1], ARGV[3 * i + 2]
  if owned(id, token) then
    named[id] = true
    call('HSET', PREFIX .. 'worked', id, worked)
  else
    lost[#lost + 1] = id
  end
end
local held = call('SMEMBERS', PREFIX .. 'held:' .. node)
table.sort(held)
for _, id in ipairs(held) do
  local lease = lease_of(id)
  if not lease or lease.node ~= node then
    call('SREM', PREFIX .. 'held:' .. node, id)
  elseif not named[id] and lease.since < now - UNNAMED_LEASE_MS then
    local command = load_command(id)
    if command then try_again(command, lease, false, false) else end_lease(id, lease, false) end
  end
end
finish_script()
return lost
