-- Read the next entries of a key that others push to (scrapy-redis' start_urls); they stay in the key.
-- KEYS: prefix. ARGV: key, its type (list | set | zset: highest score first), count, now_ms.
-- Returns: the entries; an error if the key has another type.
-- include: _base.lua
local key, kind, count = ARGV[1], ARGV[2], tonumber(ARGV[3])
if kind == 'set' then return call('SRANDMEMBER', key, count) end
if kind == 'zset' then return call('ZREVRANGE', key, 0, count - 1) end
return call('LRANGE', key, 0, count - 1)
