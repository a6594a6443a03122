-- Wait longer for a person who has begun to answer.
-- KEYS: prefix. ARGV: the intervention's id, its JSON with the later time, until_ms, now_ms.
-- Returns: 1, or 0 if it is not open any more.
-- include: _base.lua
if not call('ZSCORE', PREFIX .. 'interventions_until', ARGV[1]) then return 0 end
call('ZADD', PREFIX .. 'interventions_until', 'GT', tonumber(ARGV[3]), ARGV[1])
call('HSET', PREFIX .. 'interventions', ARGV[1], ARGV[2])
return 1
