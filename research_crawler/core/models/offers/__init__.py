"""Products, the vendors that are asked for them, and the recommendation."""
