-- Note that a page is in the archive, so that other commands get it from there. Its age counts from its last byte.
-- KEYS: prefix. ARGV: id, token, page hash, h of the final URL, read_at_ms (0: end of the lease's last download),
--   keep_ms (how old a page may be that commands get), now_ms.
-- Returns: 'ok' or 'lost'.
-- include: _runs_when_full.lua
-- include: _leases.lua
local id, token, sha, final_h, read_at = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local keep_ms = tonumber(ARGV[6])

-- Let the page's first, present and final URL lead to it for the rest of its time.
local function write_page_entries(command, at)
  local left_ms = keep_ms - math.max(0, now - at)
  if left_ms <= 0 then return end
  local text = to_wire({kind = 'page', sha = sha, at = at, keep_ms = keep_ms})
  for _, h in ipairs({command.h, final_h, command.asked_h or ''}) do
    if h ~= '' then call('SET', PREFIX .. 'page:' .. h, text, 'PX', left_ms) end
  end
end

local lease = owned(id, token)
local command = lease and load_command(id)
if not command then return 'lost' end
if read_at == 0 then read_at = lease.bytes_at > 0 and lease.bytes_at or now end
if is_shared(command) then write_page_entries(command, read_at) end
unshare(id, lease)
save_lease(id, lease)
finish_script()
return 'ok'
