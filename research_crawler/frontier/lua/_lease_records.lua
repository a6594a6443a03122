-- include: _base.lua
-- Leases as they are stored: `lease` id -> "token node since slot hop lock bytes_at"; "-" is an empty value.
local function lease_of(id)
  local text = call('HGET', PREFIX .. 'lease', id)
  if not text then return nil end
  local token, node, since, name, hop, lock, bytes_at =
    string.match(text, '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
  if not token then return nil end
  return {token = token, node = node, since = tonumber(since), slot = name ~= '-' and name or nil, hop = hop,
          lock = lock ~= '-' and lock or nil, bytes_at = tonumber(bytes_at)}
end

local function save_lease(id, lease)
  call('HSET', PREFIX .. 'lease', id, string.format('%s %s %d %s %s %s %d', lease.token, lease.node, lease.since,
    lease.slot or '-', lease.hop or '-', lease.lock or '-', lease.bytes_at or 0))
end

-- The lease when it is still the caller's.
local function owned(id, token)
  local lease = lease_of(id)
  if lease and lease.token == token then return lease end
  return nil
end
