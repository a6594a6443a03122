-- Turn due timers into events in their jobs' mailboxes.
-- KEYS: prefix. ARGV: nonce, now_ms.
-- Returns: how many timers fired.
-- include: _runs_when_full.lua
-- include: _mail.lua
local due = call('ZRANGEBYSCORE', PREFIX .. 'timers', '-inf', now, 'LIMIT', 0, 1000)
for _, member in ipairs(due) do ring(member, ARGV[1]) end
publish()
return #due
