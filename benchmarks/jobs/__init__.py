"""Whole jobs, many at once and under faults."""
