"""Findings with their quotes, how good they are, and how credible their sources."""
