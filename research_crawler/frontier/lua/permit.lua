-- Ask for a permit for the next download of a lease: the page after its robots.txt, a redirect's target, a provider's
-- endpoint.
-- KEYS: prefix. ARGV: id, token, url, slot, h, hop, 1 if the download is not the command's page (robots.txt: the
--   command stays in its queue, whatever host its robots.txt was moved to), now_ms.
-- Returns: {'go' | 'wait' | 'page' | 'refused' | 'moved' | 'want' | 'lost', wait in ms, the page entry's JSON or '',
--   of 'wait': ms until the host would be free if the downloads under way ended now}.
-- include: _ends.lua
-- include: _leases.lua
-- A search asks its other providers beside the one whose turn it has; there it stands behind those that wait.
local id, token, url, name, h, hop = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local is_aside = ARGV[7] == '1'

local function stands_behind(c)
  return is_search(c) and name ~= c.slot and call('EXISTS', PREFIX .. 'q:search:' .. name) == 1
end

local function decide()
  local lease = owned(id, token)
  local c = lease and load_command(id)
  if not c then return {'lost', 0, ''} end
  local wait = free_at(name) - now
  if slot(name).permits[token .. ':' .. hop] then return {'go', 0, ''} end
  if not is_aside and not is_search(c) then
    if c.url ~= url or c.slot ~= name or c.h ~= h or (c.hop or 0) ~= hop then
      move_to(c, url, name, h, hop)
      save_command(c)
    end
    local what, _, text = open(c)
    if what ~= 'fetch' then return {what, 0, text or ''} end
  end
  if wait > 0 or (not is_aside and stands_behind(c)) then
    local s = slot(name)
    local least = math.max(s.next, s.blocked, now) - now
    if stands_behind(c) then wait, least = math.max(wait, RECHECK_MS), math.max(least, RECHECK_MS) end
    return {'wait', wait, '', least}
  end
  if is_aside then
    grant(name, token .. ':' .. hop, now + PERMIT_MS)
    lease.slot, lease.hop = name, hop
  else
    start(c, lease, name, hop)
  end
  save_lease(id, lease)
  return {'go', 0, ''}
end

local reply = decide()
finish_script()
return reply
