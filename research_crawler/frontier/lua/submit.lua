-- Create a job with its start event. If the id exists, nothing happens.
-- KEYS: prefix. ARGV: job, the start event's JSON, n, n times field and JSON, now_ms.
-- Returns: 1, or 0 if the job exists already.
-- include: _refused_when_full.lua
-- include: _jobs.lua
local job, key = ARGV[1], PREFIX .. 'job:' .. ARGV[1]
if call('EXISTS', key) == 1 then return 0 end
for i = 1, tonumber(ARGV[3]) do call('HSET', key, ARGV[2 + 2 * i], ARGV[3 + 2 * i]) end
call('HSET', key, 'v', WIRE, 'state', '"pending"', 'version', '0', '_takes', '0')
call('ZADD', PREFIX .. 'jobs', now, job)
deliver(job, ARGV[2])
finish_script()
return 1
