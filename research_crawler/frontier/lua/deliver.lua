-- An event for a job: a person's answer, say.
-- KEYS: prefix. ARGV: job, the event's JSON, now_ms.
-- Returns: 1, or 0 when the job is unknown or over.
-- include: _mail.lua
local taken = deliver(ARGV[1], ARGV[2])
publish()
return taken and 1 or 0
