-- Remove an entry from a key that others push to (see inlet_read) and queue its commands, in one step, so that no other
-- node gets the entry and nothing is lost.
-- KEYS: prefix. ARGV: key, its type (list | set | zset), entry, n, n commands, now_ms.
-- Returns: 1, or 0 if the entry is gone.
-- include: _refused_when_full.lua
-- include: _pushing.lua
local key, kind, entry = ARGV[1], ARGV[2], ARGV[3]
local taken
if kind == 'set' then
  taken = call('SREM', key, entry)
elseif kind == 'zset' then
  taken = call('ZREM', key, entry)
else
  taken = call('LREM', key, 1, entry)
end
if taken == 0 then return 0 end
for i = 1, tonumber(ARGV[4]) do push_one(ARGV[4 + i]) end
finish_script()
return 1
