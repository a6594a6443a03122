-- include: _queues.lua
-- include: _mail.lua
-- Leases: how they begin, share a page, and end. A command is either in exactly one queue or leased.
local function start(c, lease, name, hop)
  if is_shared(c) then
    call('SET', PREFIX .. 'fetching:' .. c.h, c.id, 'PX', HOUR)
    lease.lock = c.h
  end
  grant(name, lease.token .. ':' .. hop, now + PERMIT_MS)
  lease.slot, lease.hop = name, hop
end

-- This lease fetches its page no more. Those who want it go to `_` when it is there, or where it has moved to; else
-- their queues are looked at now, and not only when the second is over that follows being passed over.
local function unshare(id, lease)
  local h = lease.lock
  lease.lock = nil
  if not h or call('GET', PREFIX .. 'fetching:' .. h) ~= id then return end
  call('DEL', PREFIX .. 'fetching:' .. h)
  for _, other in ipairs(call('ZRANGE', PREFIX .. 'want:' .. h, 0, -1)) do
    local c = load_command(other)
    local what = c and open(c)
    if what == 'page' or what == 'refused' or what == 'moved' then
      remove(c)
      enqueue(c)
    elseif c then
      look_from(free_at(c.slot), queue_of(c, false))
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

local function outcome(c, what, reason, wait_s)
  local job = job_of(c.id)
  return to_wire({uid = c.id, kind = 'done', command = c.id, job = has_job(job) and job or nil, round = c.round,
                  what = what, reason = reason, wait_s = wait_s})
end

-- Back into the queue, or given up when the attempt counts and was the last.
local function try_again(c, lease, counts, with_permit)
  local worked = tonumber(call('HGET', PREFIX .. 'worked', c.id) or 0)
  if worked > 0 then c.spent_ms = (c.spent_ms or 0) + worked end
  end_lease(c.id, lease, with_permit)
  if counts then
    c.attempt = (c.attempt or 0) + 1
    if c.attempt >= ATTEMPTS_MAX then
      call('LPUSH', PREFIX .. 'dead', to_wire(c))
      call('LTRIM', PREFIX .. 'dead', 0, GIVEN_UP_MAX - 1)
      return finish(c.id, outcome(c, 'failed', c.trouble or 'gave_up'))
    end
  end
  save_command(c)
  enqueue(c)
end
