"""A job's record: how it starts, what it knows from before, its limits, and the draft one step changes."""
