-- Part of every script: key prefix, clock, constants, tokens, and what is published when a script ends.
-- The last argument of every script is now_ms; 0 means the server's clock.
if redis.replicate_commands then redis.replicate_commands() end

local call = redis.call
local PREFIX = KEYS[1]
local now = tonumber(ARGV[#ARGV])
local now_rounded_up = now  -- what a rest is counted from: of 100 ms after 0.9 ms, a clock cut to ms would take 0.9
if now == 0 then
  local time = call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
  now_rounded_up = time[1] * 1000 + math.ceil(time[2] / 1000)
end

local WIRE = 3                  -- version of the JSON that scripts write; WIRE_VERSION of core/models/base.py
local DAY, HOUR, MINUTE = 86400000, 3600000, 60000  -- in ms
local RECHECK_MS = 1000         -- a command that was passed over is looked at again after this
local PERMIT_MS = 35000         -- 30 s of download and 5 s to start it; told again as PERMIT_S in core/tasks/leases.py
local NODE_TIMEOUT_MS = 10000   -- a node without a beat for this long is dead
local UNNAMED_LEASE_MS = 10000  -- a lease of a living node that its beats do not name is put back after this
local LEASE_MAX_MS = 300000     -- a lease lasts at most this long, without a model call that may last longer
local REFUSED_MS = 300000       -- pages that were refused or have moved are remembered this long, for all jobs
local CLAIM_MS = 15000          -- a taken job shows up again after this; told again in planner/rounds/ports.py
local MAX_REDIRECTS = 10        -- a command follows so many redirects; told again in middlewares/follow.py
local ATTEMPTS_MAX = 3          -- a failed download is tried so often; told again as LAST_ATTEMPT in core/tasks/leases.py
local TAKES_MAX = 6             -- a job's decision is given up after so many workers in a row did not end it
local GIVEN_UP_MAX = 1000       -- so many commands that were given up are kept, in the list `dead`
local SPIDERS = {'search', 'page', 'vendor', 'render'}  -- the queues of every node
local PERSON = 'person'     -- the queue of commands that wait for a person, which no node serves
local OWN = 'own.'          -- begins the queue of a project's own spider, which only that spider serves

-- A token nobody ever had: the caller's random nonce, and the server's microseconds, because a client that lost a
-- reply sends the same nonce again.
local tokens_made, token_time = 0, nil
local function new_token(nonce)
  token_time = token_time or call('TIME')
  tokens_made = tokens_made + 1
  return string.format('%s.%x%05x.%x', nonce, token_time[1], token_time[2], tokens_made)
end

-- Whether a model call under this claim or lease may still last.
local function is_calling(token)
  return tonumber(call('ZSCORE', PREFIX .. 'calling', token) or 0) > now
end

-- One message a channel and script. The text is the time in ms after which there is something to do.
local channels = {}
local function wake(channel, in_ms)
  channels[channel] = math.min(channels[channel] or in_ms, in_ms)
end

local function publish()
  for channel, in_ms in pairs(channels) do
    call('PUBLISH', PREFIX .. channel, string.format('%d', in_ms))
  end
end

-- These spiders, and those of projects that have had commands here (the set `own`).
local own_spiders
local function with_own(spiders)
  own_spiders = own_spiders or call('SMEMBERS', PREFIX .. 'own')
  local all = {unpack(spiders)}
  for _, spider in ipairs(own_spiders) do all[#all + 1] = spider end
  return all
end

-- JSON with the wire version first, as all messages have it.
local function to_wire(message)
  local version = message.v or WIRE
  message.v = nil
  local body = cjson.encode(message)
  message.v = version
  if body == '{}' then return '{"v":' .. version .. '}' end
  return '{"v":' .. version .. ',' .. string.sub(body, 2)
end

local function from_wire(text)
  if not text then return nil end
  local fine, message = pcall(cjson.decode, text)
  if fine and type(message) == 'table' then return message end
  return nil
end
