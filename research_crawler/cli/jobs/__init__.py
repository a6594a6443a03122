"""Commands that make, follow, change and show jobs."""
