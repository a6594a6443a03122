-- Set the tokens that a reservation really used, even after it expired; store the answer if the token is current.
-- KEYS: prefix. ARGV: job, call, token, reservation, tokens, the answer, millionths of a US dollar, now_ms.
-- Returns: 1 if the answer is stored for this call (now or before), else 0.
-- include: _runs_when_full.lua
-- include: _jobs.lua
local job, name, token, reservation, tokens, answer = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), ARGV[6]
local money = tonumber(ARGV[7])
-- include: _callers.lua
local state = job ~= '' and has_job(job) and state_of(job)
if not state then return 0 end
book(job, reservation, tokens, false, money)
if FINAL[state] then
  let_expire(job)
  return 0
end
if not is_current(job, name, token) then return 0 end
call('HSETNX', PREFIX .. 'ans:' .. job, name, answer)
return 1
