-- include: _queues.lua
-- include: _mail.lua
-- Leases: how they begin, share a page, and end. A command is either in exactly one queue or leased.
local function start(command, lease, name, hop)
  if is_shared(command) then
    call('SET', PREFIX .. 'fetching:' .. command.h, command.id, 'PX', HOUR)
    lease.lock = command.h
  end
  grant(name, lease.token .. ':' .. hop, now + PERMIT_MS)
  lease.slot, lease.hop = name, hop
end

-- This lease fetches its page no more. Those who want it go to `_` when it is there, or where it has moved to; else
-- their queues are looked at now, and not only when the second is over that follows being passed over.
local function unshare(id, lease)
  local page_key = lease.lock
  lease.lock = nil
  if not page_key or call('GET', PREFIX .. 'fetching:' .. page_key) ~= id then return end
  call('DEL', PREFIX .. 'fetching:' .. page_key)
  for _, waiting in ipairs(call('ZRANGE', PREFIX .. 'want:' .. page_key, 0, -1)) do
    local command = load_command(waiting)
    local need = command and open(command)
    if need == 'page' or need == 'refused' or need == 'moved' then
      remove(command)
      enqueue(command)
    elseif command then
      look_from(free_at(command.slot), queue_of(command, false))
    end
  end
end

-- `fetching` needs no release: it counts only while its lease lives. A permit is dropped only where the download
-- is known to be over.
local function end_lease(id, lease, with_permit)
  call('HDEL', PREFIX .. 'lease', id)
  call('HDEL', PREFIX .. 'worked', id)
  call('SREM', PREFIX .. 'held:' .. lease.node, id)
  if with_permit and lease.slot then
    drop(lease.slot, lease.token .. ':' .. lease.hop, slot(lease.slot).gap)
  end
end

local function forget(id)
  call('HDEL', PREFIX .. 'req', id)
  local job = job_of(id)
  if job then call('SREM', PREFIX .. 'cmds:' .. job, id) end
end

-- The only way out with an event: into the mailbox and the outbox, then the command is gone. A command without a job
-- has no mailbox: whoever waits for it listens.
local function finish(id, event)
  local job = job_of(id)
  local state = has_job(job) and state_of(job)
  if not (state and FINAL[state]) then
    if state then deliver(job, event) end
    call('XADD', PREFIX .. 'outbox', '*', 'event', event)
    if not has_job(job) then call('PUBLISH', PREFIX .. 'settled:' .. id, event) end
  end
  local lease = lease_of(id)
  if lease then end_lease(id, lease, true) end
  forget(id)
end

local function outcome(command, what, reason, wait_s)
  local job = job_of(command.id)
  return to_wire({uid = command.id, kind = 'done', command = command.id, job = has_job(job) and job or nil,
                  round = command.round, what = what, reason = reason, wait_s = wait_s})
end

-- Back into the queue, or given up when the attempt counts and was the last.
local function try_again(command, lease, counts, with_permit)
  local worked = tonumber(call('HGET', PREFIX .. 'worked', command.id) or 0)
  if worked > 0 then command.spent_ms = (command.spent_ms or 0) + worked end
  end_lease(command.id, lease, with_permit)
  if counts then
    command.attempt = (command.attempt or 0) + 1
    if command.attempt >= ATTEMPTS_MAX then
      call('LPUSH', PREFIX .. 'dead', to_wire(command))
      call('LTRIM', PREFIX .. 'dead', 0, GIVEN_UP_MAX - 1)
      return finish(command.id, outcome(command, 'failed', command.trouble or 'gave_up'))
    end
  end
  save_command(command)
  enqueue(command)
end
