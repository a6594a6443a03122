-- Announce that a process has a role, for the next seconds.
-- KEYS: prefix. ARGV: role, process, ms, now_ms.
-- Returns: 1.
-- include: _runs_when_full.lua
call('ZADD', PREFIX .. 'alive:' .. ARGV[1], now + tonumber(ARGV[3]), ARGV[2])
call('PEXPIRE', PREFIX .. 'alive:' .. ARGV[1], 2 * tonumber(ARGV[3]))
return 1
