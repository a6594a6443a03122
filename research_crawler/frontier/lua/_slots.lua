-- include: _base.lua
-- Slots: what a host allows, and when. A script reads a slot once and writes it with save_slots at its end; a script
-- that only reads does not call save_slots.
local slots, conf = {}, nil
local DELAY_MS = 5000       -- delay of a host, until a process has written its settings to `conf`
local HOST_PERMITS = 8      -- downloads at once from a host without a delay, likewise
local MODEL_PERMITS = 32    -- calls at once of a model's endpoint, likewise

local function conf_of(field, default)
  if not conf then
    local values = call('HMGET', PREFIX .. 'conf', 'delay_ms', 'host_permits', 'model_permits', 'rested_ms')
    conf = {delay_ms = tonumber(values[1] or nil), host_permits = tonumber(values[2] or nil),
            model_permits = tonumber(values[3] or nil), rested_ms = tonumber(values[4] or nil)}
  end
  return conf[field] or default
end

local function allow(s)
  s.gap = math.max(s.delay, s.crawl_delay)
  if s.model then
    s.most = conf_of('model_permits', MODEL_PERMITS)
  elseif s.own_most then
    s.most = s.own_most
  else
    s.most = s.gap > 0 and 1 or conf_of('host_permits', HOST_PERMITS)
  end
end

-- An expired permit is a download that ended at its deadline; that is written by save_slots, with `next`.
local function read_permits(s)
  local granted = call('ZRANGE', PREFIX .. 'fly:' .. s.name, 0, -1, 'WITHSCORES')
  for i = 1, #granted, 2 do
    local permit, deadline = granted[i], tonumber(granted[i + 1])
    if deadline > now then
      s.permits[permit], s.permits_out = deadline, s.permits_out + 1
    else
      s.next, s.dirty, s.relook, s.expired = math.max(s.next, deadline + s.gap), true, true, true
    end
  end
end

local function slot(name)
  local s = slots[name]
  if s then return s end
  local stored = call('HMGET', PREFIX .. 'slot:' .. name, 'next', 'blocked_until', 'vt', 'delay', 'crawl_delay',
                      'errors', 'most')
  s = {name = name, next = tonumber(stored[1] or 0), blocked = tonumber(stored[2] or 0),
       virtual_time = tonumber(stored[3] or 0), delay = tonumber(stored[4] or (name == '_' and 0) or nil),
       crawl_delay = tonumber(stored[5] or 0), errors = tonumber(stored[6] or 0),
       own_most = tonumber(stored[7] or nil), model = string.sub(name, 1, 6) == 'model:',
       permits = {}, permits_out = 0}
  if not s.delay then s.delay = s.model and 0 or conf_of('delay_ms', DELAY_MS) end
  allow(s)
  if name ~= '_' then
    local rested = conf_of('rested_ms', nil)  -- the server may have forgotten its last visits
    if rested and not s.model and s.gap > 0 then s.next = math.max(s.next, rested + s.gap) end
    read_permits(s)
  end
  slots[name] = s
  return s
end

-- A provider that takes several calls at once rests from the beginning of each; all others rest from the end.
local function rests_from_start(s)
  return s.own_most ~= nil and s.own_most > 1 and s.gap > 0
end

-- The earliest moment at which the slot could give a permit.
local function free_at(name)
  if name == '_' then return now end
  local s = slot(name)
  local at = math.max(s.next, s.blocked, now)
  if s.permits_out < s.most then return at end
  local soonest = math.huge
  for _, deadline in pairs(s.permits) do soonest = math.min(soonest, deadline) end
  return math.max(at, soonest)
end

-- Whether as many downloads are under way at the slot as may be.
local function is_full(name)
  return name ~= '_' and slot(name).permits_out >= slot(name).most
end

local function grant(name, permit, deadline)
  local s, key = slot(name), PREFIX .. 'fly:' .. name
  call('ZADD', key, deadline, permit)
  call('PEXPIRE', key, math.max(HOUR, deadline - now + HOUR))
  if not s.permits[permit] then s.permits_out = s.permits_out + 1 end
  s.permits[permit] = deadline
  if rests_from_start(s) then s.next, s.dirty, s.relook = math.max(s.next, now_rounded_up + s.gap), true, true end
end

-- A permit comes back: the host rests for gap ms. Nothing happens when it has expired or come back before.
local function drop(name, permit, gap)
  local s = slot(name)
  if not s.permits[permit] then return end
  call('ZREM', PREFIX .. 'fly:' .. name, permit)
  if rests_from_start(s) then gap = 0 end
  s.permits[permit], s.permits_out = nil, s.permits_out - 1
  local from = gap > 0 and now_rounded_up or now
  s.next, s.dirty, s.relook = math.max(s.next, from + gap), true, true
end

-- Every change of when a slot is free reaches all spiders that have commands for it.
local function look_again(s)
  local at = free_at(s.name)
  for _, spider in ipairs(with_own(SPIDERS)) do
    local changed = call('ZADD', PREFIX .. 'ready:' .. spider, 'XX', 'CH', at, s.name)
    if changed == 1 and at < now + RECHECK_MS then wake('wake:' .. spider, at - now) end
  end
end

local function save_slots()
  for name, s in pairs(slots) do
    if s.relook and not s.model then look_again(s) end
    if s.expired then call('ZREMRANGEBYSCORE', PREFIX .. 'fly:' .. name, '-inf', now) end
    if s.dirty then
      local key = PREFIX .. 'slot:' .. name
      call('HSET', key, 'next', s.next, 'blocked_until', s.blocked, 'vt', s.virtual_time)
      call('PEXPIRE', key, DAY + math.max(0, s.blocked - now, s.next - now))
    end
  end
end

-- The last step of every script that touches slots.
local function finish_script()
  save_slots()
  publish()
end
