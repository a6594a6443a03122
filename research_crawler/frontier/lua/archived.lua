-- The archive has a job that is over: its findings, model answers and URLs are deleted, and its record stays for a minute,
-- for those who follow it. Whoever asks later is answered from the archive.
-- KEYS: prefix. ARGV: job, now_ms.
-- Returns: 1, or 0 when the job is unknown or goes on.
-- include: _mail.lua
local job = ARGV[1]
local state = state_of(job)
if not state or not FINAL[state] then return 0 end
for _, kind in ipairs({'found', 'ans', 'seen', 'mail'}) do call('DEL', PREFIX .. kind .. ':' .. job) end
for _, kind in ipairs({'job', 'cmds', 'budget'}) do call('PEXPIRE', PREFIX .. kind .. ':' .. job, MINUTE) end
return 1
