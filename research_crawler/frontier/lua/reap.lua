-- Take back the commands of dead nodes and those leased for too long, without a model call that may still last (this
-- counts an attempt), and charge expired reservations in full. Any process runs it every second. If none has run it for
-- a while, nodes first get 10 s to report.
-- KEYS: prefix. ARGV: now_ms.
-- Returns: how many commands were taken back.
-- include: _runs_when_full.lua
-- include: _leases.lua
-- include: _budgets.lua
local PAUSE_MS = 5000  -- if no process has run this for so long, nodes are given time to report first
local last = tonumber(call('GET', PREFIX .. 'reaped_at') or now)
call('SET', PREFIX .. 'reaped_at', now)

local function alive_nodes()
  local alive, dead, all = {}, {}, call('ZRANGE', PREFIX .. 'nodes', 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do
    if tonumber(all[i + 1]) > now then alive[all[i]] = true else dead[#dead + 1] = all[i] end
  end
  return alive, dead
end

local function expired_leases(alive)
  local ids, all = {}, call('HKEYS', PREFIX .. 'lease')
  for _, id in ipairs(all) do
    local lease = lease_of(id)
    local is_late = lease and now - lease.since >= LEASE_MAX_MS and not is_calling(lease.token)
    if lease and (is_late or not alive[lease.node]) then ids[#ids + 1] = id end
  end
  table.sort(ids)
  return ids
end

if now - last > PAUSE_MS then
  for _, node in ipairs(call('ZRANGE', PREFIX .. 'nodes', 0, -1)) do
    call('ZADD', PREFIX .. 'nodes', 'GT', now + NODE_TIMEOUT_MS, node)
  end
  return 0
end
local alive, dead = alive_nodes()
local ids = expired_leases(alive)
for _, id in ipairs(ids) do
  local lease, command = lease_of(id), load_command(id)
  if command then
    command.trouble = command.trouble or 'node_lost'
    command.alone = (command.attempt or 0) + 1 >= ATTEMPTS_MAX - 1 or nil
    try_again(command, lease, true, false)
  else
    end_lease(id, lease, false)
  end
end
for _, node in ipairs(dead) do call('ZREM', PREFIX .. 'nodes', node) end
expire_reservations()
call('ZREMRANGEBYSCORE', PREFIX .. 'calling', '-inf', now)
finish_script()
return #ids
