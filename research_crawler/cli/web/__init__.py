"""Commands that fetch: one page, one search, and the walls that a person opens."""
