-- Let a leased command wait for a person, in a queue that no node serves: it holds no lease, no permit and no place in
-- its host's queue. All commands that meet a wall of one host wait for one intervention. The job looks at its round
-- at once, and goes on without this page meanwhile.
-- KEYS: prefix. ARGV: id, token, host, why (the wall, as a reason is stored), intervention's id, its JSON, until_ms, picture
--   (base64, or ''), now_ms.
-- Returns: the id of the intervention that the command waits for; '' if the lease is lost.
-- include: _refused_when_full.lua
-- include: _jobs.lua
local id, token, host, until_ms = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[7])
local open_ones, hosts = PREFIX .. 'interventions_until', PREFIX .. 'interventions_hosts'

local function intervention()
  local known = call('HGET', hosts, host)
  if known and call('ZSCORE', open_ones, known) then return known end
  call('HSET', PREFIX .. 'interventions', ARGV[5], ARGV[6])
  call('HSET', hosts, host, ARGV[5])
  call('ZADD', open_ones, until_ms, ARGV[5])
  if ARGV[8] ~= '' then call('SET', PREFIX .. 'picture:' .. ARGV[5], ARGV[8], 'PX', DAY) end
  return ARGV[5]
end

local function look_at_round(job)
  for member in string.gmatch(job_field(job, '_timers') or '', '[^\n]+') do
    if string.find(member, ' round ', 1, true) then call('ZADD', PREFIX .. 'timers', 'XX', 'LT', now, member) end
  end
end

local lease = owned(id, token)
local command = lease and load_command(id)
if not command then return '' end
command.person, command.wall, command.asks = intervention(), ARGV[4], (command.asks or 0) + 1
call('SADD', PREFIX .. 'asked:' .. command.person, id)
try_again(command, lease, false, true)
look_at_round(job_of(id))
finish_script()
return command.person
