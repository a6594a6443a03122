-- Note the start of the server that every process tells before its first script. A server that was not ended in order may
-- have lost its last second, and with it when hosts were visited: all hosts rest for one delay from now on.
-- KEYS: prefix. ARGV: the id of this run of the server, now_ms.
-- Returns: 1 if hosts rest, else 0.
-- include: _base.lua
local known = call('GET', PREFIX .. 'server')
if known == ARGV[1] then return 0 end
call('SET', PREFIX .. 'server', ARGV[1])
if not known or known == 'ended' then return 0 end
call('HSET', PREFIX .. 'conf', 'rested_ms', now)
return 1
