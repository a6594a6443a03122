"""The documents of a job, rendered from its record: report, run report, research state and plan."""
