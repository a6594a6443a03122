"""The frontier: commands that wait for their hosts, kept in Redis and handled by Lua scripts."""
