-- Ask for a permit for the next download of a lease: the page after its robots.txt, a redirect's target, a provider's
-- endpoint.
-- KEYS: prefix. ARGV: id, token, url, slot, h, hop, 1 if the download is not the command's page (robots.txt: the
--   command stays in its queue, whatever host its robots.txt was moved to), now_ms.
-- Returns: {'go' | 'wait' | 'page' | 'refused' | 'moved' | 'want' | 'lost', wait in ms, the page entry's JSON or '',
--   of 'wait': ms until the host would be free if the downloads under way ended now}.
-- include: _runs_when_full.lua
-- include: _leases.lua
-- A search asks its other providers beside the one whose turn it has; there it stands behind those that wait.
local id, token, url, name, h, hop = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local is_aside = ARGV[7] == '1'

local function stands_behind(command)
  return is_search(command) and name ~= command.slot and call('EXISTS', PREFIX .. 'q:search:' .. name) == 1
end

local function decide()
  local lease = owned(id, token)
  local command = lease and load_command(id)
  if not command then return {'lost', 0, ''} end
  local wait = free_at(name) - now
  if slot(name).permits[token .. ':' .. hop] then return {'go', 0, ''} end
  if not is_aside and not is_search(command) then
    if command.url ~= url or command.slot ~= name or command.h ~= h or (command.hop or 0) ~= hop then
      move_to(command, url, name, h, hop)
      save_command(command)
    end
    local what, _, text = open(command)
    if what ~= 'fetch' then return {what, 0, text or ''} end
  end
  if wait > 0 or (not is_aside and stands_behind(command)) then
    local s = slot(name)
    local least = math.max(s.next, s.blocked, now) - now
    if stands_behind(command) then wait, least = math.max(wait, RECHECK_MS), math.max(least, RECHECK_MS) end
    return {'wait', wait, '', least}
  end
  if is_aside then
    grant(name, token .. ':' .. hop, now + PERMIT_MS)
    lease.slot, lease.hop = name, hop
  else
    start(command, lease, name, hop)
  end
  save_lease(id, lease)
  return {'go', 0, ''}
end

local reply = decide()
finish_script()
return reply
