-- End an intervention. Its commands go on, or end as blocked by the wall that they met.
-- KEYS: prefix. ARGV: the intervention's id, its JSON, 'go_on' | 'block', now_ms.
-- Returns: how many commands waited for it; -1 if it was not open.
-- include: _jobs.lua
local id, goes_on = ARGV[1], ARGV[3] == 'go_on'
if call('ZREM', PREFIX .. 'interventions_until', id) == 0 then return -1 end
call('HSET', PREFIX .. 'interventions', id, ARGV[2])
local record, asked, ended = from_wire(ARGV[2]), PREFIX .. 'asked:' .. id, 0
if record and call('HGET', PREFIX .. 'interventions_hosts', record.host) == id then
  call('HDEL', PREFIX .. 'interventions_hosts', record.host)
end

-- A refusal of the page that another job has left says nothing about a visitor with a session.
local function drop_refusal(command)
  local entry = from_wire(call('GET', PREFIX .. 'page:' .. (command.h or '')))
  if entry and entry.kind == 'refused' then call('DEL', PREFIX .. 'page:' .. command.h) end
end

local ids = call('SMEMBERS', asked)
table.sort(ids)
for _, command_id in ipairs(ids) do
  local command = load_command(command_id)
  if command and command.person == id then
    remove(command)
    command.person = ''
    if goes_on then
      drop_refusal(command)
      save_command(command)
      enqueue(command)
    else
      finish(command_id, outcome(command, 'blocked', command.wall))
    end
    ended = ended + 1
  end
end
call('DEL', asked)
finish_script()
return ended
