-- Bring commands into the frontier; one that is there already stays as it is.
-- KEYS: prefix. ARGV: n, n times a command's JSON, now_ms.
-- Returns: n times the expected wait in ms; -1 where the command was not queued (busy, or its job is over), -2 where
--   its spider has seen the request before.
-- include: _pushing.lua
local waits = {}
for i = 1, tonumber(ARGV[1]) do waits[i] = push_one(ARGV[1 + i]) end
finish_script()
return waits
