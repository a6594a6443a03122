-- Note that a page is in the archive, so that other commands get it from there. Its age counts from its last byte.
-- KEYS: prefix. ARGV: id, token, page hash, h of the final URL, read_at_ms (0: end of the lease's last download),
--   now_ms.
-- Returns: 'ok' or 'lost'.
-- include: _ends.lua
-- include: _leases.lua
local id, token, sha, final_h, read_at = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

local function point(command, at)
  local keep = DAY - math.max(0, now - at)
  if keep <= 0 then return end
  local text = to_wire({kind = 'page', sha = sha, at = at, keep_ms = DAY})
  for _, h in ipairs({command.h, final_h, command.asked_h or ''}) do
    if h ~= '' then call('SET', PREFIX .. 'page:' .. h, text, 'PX', keep) end
  end
end

local lease = owned(id, token)
local command = lease and load_command(id)
if not command then return 'lost' end
if read_at == 0 then read_at = lease.bytes_at > 0 and lease.bytes_at or now end
if is_shared(command) then point(command, read_at) end
unshare(id, lease)
save_lease(id, lease)
finish_script()
return 'ok'
