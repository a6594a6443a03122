-- Bring a completed job back, waiting with an open question, and deliver a person's answer to it.
-- KEYS: prefix. ARGV: job, the answer's event, review (JSON), version, spent tokens, then two groups, each a count and
--   its values: fields (name, JSON) and findings (JSON), which are used if Redis has forgotten them; now_ms.
-- Returns: 1, or 0 when the job is not completed.
-- include: _jobs.lua
local job, event, review, version, tokens = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local key, budget, at = PREFIX .. 'job:' .. job, PREFIX .. 'budget:' .. job, 6

local function group(width)
  local count, values = tonumber(ARGV[at]), {}
  for i = 1, count * width do values[i] = ARGV[at + i] end
  at = at + 1 + count * width
  return values
end

local state, fields, findings = state_of(job), group(2), group(1)
if state and state ~= '"completed"' then return 0 end
if not state then
  for i = 1, #fields, 2 do call('HSET', key, fields[i], fields[i + 1]) end
  call('HSET', key, 'v', WIRE, 'version', version)
  if tokens > 0 and call('EXISTS', budget) == 0 then call('HSET', budget, 'spent', tokens) end
end
if call('EXISTS', PREFIX .. 'found:' .. job) == 0 then
  for _, finding in ipairs(findings) do call('RPUSH', PREFIX .. 'found:' .. job, finding) end
end
for _, kind in ipairs({'job', 'found', 'ans', 'seen', 'budget'}) do call('PERSIST', PREFIX .. kind .. ':' .. job) end
call('HSET', key, 'state', '"waiting_for_human"', 'review', review, '_token', '', '_takes', 0, '_upto', '')
call('ZADD', PREFIX .. 'jobs', now, job)
deliver(job, event)
wake('job:' .. job, 0)
finish_script()
return 1
