-- Give back claims on jobs as if the jobs had not been taken; a worker that is asked to stop calls it.
-- KEYS: prefix. ARGV: n, n times job and token, now_ms.
-- Returns: how many claims were given back.
-- include: _runs_when_full.lua
-- include: _mail.lua
local released = 0
for i = 1, tonumber(ARGV[1]) do
  local job, token = ARGV[2 * i], ARGV[2 * i + 1]
  local f = call('HMGET', PREFIX .. 'job:' .. job, '_token', '_takes')
  if f[1] == token then
    call('HSET', PREFIX .. 'job:' .. job, '_token', '', '_takes', math.max(0, tonumber(f[2]) - 1))
    call('ZADD', PREFIX .. 'runnable', now, job)
    wake('wake:jobs', 0)
    released = released + 1
  end
end
publish()
return released
