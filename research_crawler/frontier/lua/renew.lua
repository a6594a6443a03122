-- Extend claims by 15 s, until 300 s after the take at most, or as long as a model call under the claim may last; the
-- token must be the current one.
-- KEYS: prefix. ARGV: n, n times job and token, now_ms.
-- Returns: the jobs whose claim the caller no longer has.
-- include: _runs_when_full.lua
-- include: _mail.lua
local lost = {}
for i = 1, tonumber(ARGV[1]) do
  local job, token = ARGV[2 * i], ARGV[2 * i + 1]
  local f = call('HMGET', PREFIX .. 'job:' .. job, '_token', '_taken')
  if f[1] == token and (now - tonumber(f[2]) < LEASE_MAX_MS or is_calling(token)) then
    call('ZADD', PREFIX .. 'runnable', now + CLAIM_MS, job)
  elseif f[1] ~= token then
    lost[#lost + 1] = job
  end
end
return lost
