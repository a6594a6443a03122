-- Tell where each open command of a job is: in a queue, with how many before it, or leased to a node.
-- KEYS: prefix. ARGV: job, now_ms.
-- Returns: for each open command {id, kind, 'queued' | 'leased', queue, slot of its queue (leased:
--   of its permit, '' if it holds none), ms since then, ms until the slot can give a permit at the latest, commands
--   before it, 1 if the slot waits for downloads that are under way}.
-- include: _leases.lua
local job, out = ARGV[1], {}

local function queued_at(command)
  local spider, name = queue_of(command, false)
  for _, place in ipairs({{spider, name}, {spider_of(command), '_'}}) do
    local q = PREFIX .. 'q:' .. place[1] .. ':' .. place[2]
    local before = call('ZRANK', q, command.id)
    if before then return place[1], place[2], before end
  end
end

local function place_of(command)
  local lease = lease_of(command.id)
  if lease then return {command.id, command.kind or 'visit', 'leased', spider_of(command), lease.slot or '', now - lease.since, 0, 0, 0} end
  local spider, name, before = queued_at(command)
  if not spider then return nil end
  local since = tonumber(call('HGET', PREFIX .. 'queued', command.id) or nil) or now
  return {command.id, command.kind or 'visit', 'queued', spider, name, now - since, free_at(name) - now, before,
          is_full(name) and 1 or 0}
end

local ids = call('SMEMBERS', PREFIX .. 'cmds:' .. job)
table.sort(ids)
for _, id in ipairs(ids) do
  local command = load_command(id)
  out[#out + 1] = command and place_of(command) or nil
end
return out
