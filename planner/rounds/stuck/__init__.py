"""A job that only repeats itself, or whose evidence stays uncertain: strategies of recovery, each taken once. Pure."""
