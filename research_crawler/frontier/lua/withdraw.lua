-- Take back one command that belongs to no job and that nobody waits for any longer.
-- KEYS: prefix. ARGV: id, now_ms.
-- Returns: 1 if it was queued or leased, else 0.
-- include: _jobs.lua
local known = (lease_of(ARGV[1]) or load_command(ARGV[1])) and 1 or 0
if known == 1 then withdraw_all({ARGV[1]}) end
finish_script()
return known
