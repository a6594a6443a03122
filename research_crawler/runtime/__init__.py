"""A running process: builds its parts, then starts and stops the crawl engine and the loops in order."""
