-- Put an event into a job's mailbox, such as a person's answer.
-- KEYS: prefix. ARGV: job, the event's JSON, now_ms.
-- Returns: 1, or 0 when the job is unknown or over.
-- include: _runs_when_full.lua
-- include: _mail.lua
local taken = deliver(ARGV[1], ARGV[2])
publish()
return taken and 1 or 0
