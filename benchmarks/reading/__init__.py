"""What is read from saved pages: main text, blockers, result pages, robots.txt; and training."""
