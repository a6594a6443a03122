-- Queue commands; a command that is already queued or leased stays as it is.
-- KEYS: prefix. ARGV: n, n times a command's JSON, now_ms.
-- Returns: n times the expected wait in ms; -1 if the command was not queued (busy, or its job is over), -2 if its
--   spider has made the same request before.
-- include: _refused_when_full.lua
-- include: _pushing.lua
local waits = {}
for i = 1, tonumber(ARGV[1]) do waits[i] = push_one(ARGV[1 + i]) end
finish_script()
return waits
