-- Tell where each open command of a job is: in a queue, with how many before it, or leased to a node.
-- KEYS: prefix. ARGV: job, now_ms.
-- Returns: for each open command {id, kind, 'queued' | 'leased', queue, slot of its queue (leased:
--   of its permit, '' if it holds none), ms since then, ms until the slot can give a permit at the latest, commands
--   before it, 1 if the slot waits for downloads that are under way}.
-- include: _leases.lua
local job, out = ARGV[1], {}

local function queued_at(c)
  local spider, name = queue_of(c, false)
  for _, place in ipairs({{spider, name}, {spider_of(c), '_'}}) do
    local q = PREFIX .. 'q:' .. place[1] .. ':' .. place[2]
    local before = call('ZRANK', q, c.id)
    if before then return place[1], place[2], before end
  end
end

local function place_of(c)
  local lease = lease_of(c.id)
  if lease then return {c.id, c.kind or 'visit', 'leased', spider_of(c), lease.slot or '', now - lease.since, 0, 0, 0} end
  local spider, name, before = queued_at(c)
  if not spider then return nil end
  local since = tonumber(call('HGET', PREFIX .. 'queued', c.id) or nil) or now
  return {c.id, c.kind or 'visit', 'queued', spider, name, now - since, free_at(name) - now, before,
          is_full(name) and 1 or 0}
end

local ids = call('SMEMBERS', PREFIX .. 'cmds:' .. job)
table.sort(ids)
for _, id in ipairs(ids) do
  local c = load_command(id)
  out[#out + 1] = c and place_of(c) or nil
end
return out
