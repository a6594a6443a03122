"""The archive's tables."""
