-- Delete a job that is over, or its remains: record, findings, answers, seen URLs, commands, mail, timers.
-- KEYS: prefix. ARGV: job, now_ms.
-- Returns: 'forgotten', 'unknown' (nothing was stored) or 'running' (the job is not over; nothing was deleted).
-- include: _jobs.lua
local job, state, keys = ARGV[1], state_of(ARGV[1]), {}
if state and not FINAL[state] then return 'running' end
for i, kind in ipairs({'job', 'found', 'ans', 'seen', 'cmds', 'mail', 'budget'}) do
  keys[i] = PREFIX .. kind .. ':' .. job
end
local there = call('EXISTS', unpack(keys)) + call('ZREM', PREFIX .. 'jobs', job)
withdraw(job)
set_timers(job, {})
stop_waking(job)
count_active(job, '"cancelled"')
for _, text in ipairs(call('LRANGE', PREFIX .. 'dead', 0, -1)) do
  local command = from_wire(text)
  if command and command.id and job_of(command.id) == job then there = there + call('LREM', PREFIX .. 'dead', 0, text) end
end
call('DEL', unpack(keys))
finish_script()
return there > 0 and 'forgotten' or 'unknown'
