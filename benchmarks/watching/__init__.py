"""A simulated month of watches."""
