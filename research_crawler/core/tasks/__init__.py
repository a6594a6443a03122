"""Tasks of a process: how they repeat, end, wait for each other, and how long they work."""
