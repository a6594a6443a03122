-- The end of a command: its event goes to the mailbox and the outbox, and the command is gone, in one step.
-- KEYS: prefix. ARGV: id, token, the event's JSON, now_ms.
-- Returns: 'ok' or 'lost'.
-- include: _leases.lua
if not owned(ARGV[1], ARGV[2]) then return 'lost' end
finish(ARGV[1], ARGV[3])
finish_script()
return 'ok'
