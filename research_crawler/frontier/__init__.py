"""The frontier: commands waiting for hosts, in Redis, by Lua scripts."""
