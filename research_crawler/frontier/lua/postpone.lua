-- Remove entries of the outbox that are in the archive, and note that the vector index still lacks their commands.
-- KEYS: prefix. ARGV: the group of indexers, n, n times entry and command, the time in s, now_ms.
-- Returns: how many entries were removed.
-- include: _runs_when_full.lua
local count = tonumber(ARGV[2])
for i = 1, count do
  local entry, command = ARGV[1 + 2 * i], ARGV[2 + 2 * i]
  call('ZADD', PREFIX .. 'unindexed', 'NX', ARGV[3 + 2 * count], command)
  call('XACK', PREFIX .. 'outbox', ARGV[1], entry)
  call('XDEL', PREFIX .. 'outbox', entry)
end
return count
