-- include: _base.lua
-- At Redis' memory limit this script is refused before it has written anything: it begins work. (The command has no effect.)
call('SETRANGE', PREFIX .. 'none', 0, '')
