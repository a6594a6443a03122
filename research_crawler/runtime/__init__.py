"""A running process: its parts, the crawl engine and the loops, started and stopped in order."""
