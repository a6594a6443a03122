-- Keep claims for another 15 s; at most 300 s after the take, and with the current token only.
-- KEYS: prefix. ARGV: n, n times job and token, now_ms.
-- Returns: jobs whose claim is not the caller's any more.
-- include: _mail.lua
local lost = {}
for i = 1, tonumber(ARGV[1]) do
  local job, token = ARGV[2 * i], ARGV[2 * i + 1]
  local f = call('HMGET', P .. 'job:' .. job, '_token', '_taken')
  if f[1] == token and now - tonumber(f[2]) < LEASE_MAX then
    call('ZADD', P .. 'runnable', now + CLAIM, job)
  elseif f[1] ~= token then
    lost[#lost + 1] = job
  end
end
return lost
