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
local function drop_refusal(c)
  local entry = from_wire(call('GET', PREFIX .. 'page:' .. (c.h or '')))
  if entry and entry.kind == 'refused' then call('DEL', PREFIX .. 'page:' .. c.h) end
end

local ids = call('SMEMBERS', asked)
table.sort(ids)
for _, command in ipairs(ids) do
  local c = load_command(command)
  if c and c.person == id then
    remove(c)
    c.person = ''
    if goes_on then
      drop_refusal(c)
      save_command(c)
      enqueue(c)
    else
      finish(command, outcome(c, 'blocked', c.wall))
    end
    ended = ended + 1
  end
end
call('DEL', asked)
finish_script()
return ended
