"""Loops beside the planner and the crawler: indexing, retention, alert delivery."""
