"""Stores of batches, watches, alerts and notices, each on the archive's tables."""
