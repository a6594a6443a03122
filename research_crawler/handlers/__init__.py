"""The download handler that dials only checked addresses."""
