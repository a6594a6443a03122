-- End a command in one step: its event goes to the mailbox and the outbox, and the command is removed. The same step
-- publishes what a project's spider made from the response: further events go to the outbox, requests into queues.
-- KEYS: prefix. ARGV: id, token, the event's JSON, n, n further events, m, m commands, now_ms.
-- Returns: 'ok' or 'lost'.
-- include: _runs_when_full.lua
-- include: _pushing.lua
local id, token, events = ARGV[1], ARGV[2], tonumber(ARGV[4])
if not owned(id, token) then return 'lost' end
for i = 1, tonumber(ARGV[5 + events]) do push_one(ARGV[5 + events + i]) end
for i = 1, events do call('XADD', PREFIX .. 'outbox', '*', 'event', ARGV[4 + i]) end
finish(id, ARGV[3])
finish_script()
return 'ok'
