"""Products on a page: what is sold there, for how much, and whether it can be had. Bytes in, models out."""
