"""A job that only repeats itself, or whose evidence stays uncertain: the ways out, each taken once. Pure."""
