"""Commands that run until they are stopped, and the one that says whether they work."""
