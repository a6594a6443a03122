"""Background loops beside the planner and the crawler: indexing, ended jobs, retention, alerts."""
