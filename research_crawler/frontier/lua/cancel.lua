-- End a job at once: its token becomes invalid, its commands are withdrawn, its mail and timers are deleted.
-- KEYS: prefix. ARGV: job, n, n times field and JSON to be written with it, now_ms.
-- Returns: 1, or 0 when the job is unknown or over.
-- include: _runs_when_full.lua
-- include: _jobs.lua
local state, fields = state_of(ARGV[1]), {}
if not state or FINAL[state] then return 0 end
for i = 1, 2 * tonumber(ARGV[2]) do fields[i] = ARGV[2 + i] end
end_job(ARGV[1], '"cancelled"', fields)
finish_script()
return 1
