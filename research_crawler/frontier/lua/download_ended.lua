-- Return the permit of a download that ended or did not begin, even if the lease is lost.
-- KEYS: prefix. ARGV: id, token, slot, hop, outcome (page | redirect | refused | robots | transient | aborted |
--   unused), suggested_delay_ms (-1: none), jitter factor, robots_gap_ms (-1: min(delay, 1 s)), block_ms,
--   crawl_delay_ms (-1: as it is), reason, the redirect's url, slot, h (or ''), now_ms.
-- Returns: 'ok' or 'lost'.
-- include: _runs_when_full.lua
-- include: _leases.lua
local id, token, name, hop, result = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local suggested, jitter, robots_gap = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local block, crawl_delay, reason = tonumber(ARGV[9]), tonumber(ARGV[10]), ARGV[11]

-- The host's delay by AutoThrottle's formula, from the delay that all nodes share: at once up, by halves down, and down
-- only after a page, because refusals and redirects are small and come quickly.
local function new_delay(s)
  if suggested < 0 or (result ~= 'page' and suggested <= s.delay) then return s.delay end
  return math.max(suggested, math.floor((s.delay + suggested) / 2))
end

-- What the download taught about its host holds for everybody, also when the lease is lost.
local function learn(s)
  local key = PREFIX .. 'slot:' .. name
  local delay = new_delay(s)
  if delay ~= s.delay then
    s.delay, s.dirty, s.relook = delay, true, true
    call('HSET', key, 'delay', delay)
  end
  if crawl_delay >= 0 and crawl_delay ~= s.crawl_delay then
    s.crawl_delay, s.dirty, s.relook = crawl_delay, true, true
    call('HSET', key, 'crawl_delay', crawl_delay)
  end
  if block > 0 then s.blocked, s.dirty, s.relook = math.max(s.blocked, now + block), true, true end
  local errors = result == 'transient' and s.errors + 1 or result == 'page' and 0 or s.errors
  if errors ~= s.errors then
    s.errors, s.dirty = errors, true
    call('HSET', key, 'errors', errors)
  end
  allow(s)
end

local function rest_of(s)
  if result == 'robots' then
    if robots_gap >= 0 then return robots_gap end
    return s.crawl_delay > 0 and s.crawl_delay or math.min(s.delay, 1000)
  end
  return math.max(math.floor(s.gap * jitter), s.crawl_delay)
end

local function remember(command, entry)
  entry.at, entry.keep_ms = now, REFUSED_MS
  call('SET', PREFIX .. 'page:' .. command.h, to_wire(entry), 'PX', REFUSED_MS)
end

-- What a download without a page means for the command, and for those who want the same page.
local function conclude(command, lease)
  if result == 'transient' and reason ~= '' then
    command.trouble = reason
    save_command(command)
  elseif result == 'refused' and is_shared(command) then
    remember(command, {kind = 'refused', reason = reason})
  elseif result == 'redirect' and is_shared(command) and ARGV[12] ~= '' then
    remember(command, {kind = 'moved', to = {url = ARGV[12], slot = ARGV[13], h = ARGV[14]}})
  end
  unshare(id, lease)
end

local function note(lease)
  if lease.slot == name and lease.hop == hop then lease.slot, lease.hop = nil, nil end
  lease.bytes_at = now
  if result == 'transient' or result == 'refused' or result == 'redirect' then
    local command = load_command(id)
    if command then conclude(command, lease) end
  end
  save_lease(id, lease)
end

local s, lease = slot(name), owned(id, token)
learn(s)
drop(name, token .. ':' .. hop, rest_of(s))
if lease then note(lease) end
finish_script()
return lease and 'ok' or 'lost'
