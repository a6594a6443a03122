-- include: _base.lua
-- At Redis' memory limit this script runs all the same: it ends what has begun, which frees more than it takes. Redis looks
-- at the limit before a script's first write only, and lets a deletion pass.
call('DEL', PREFIX .. 'none')
