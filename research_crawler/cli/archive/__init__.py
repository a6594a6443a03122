"""Commands on what is kept: the memory of all jobs, and what is to be deleted."""
