"""The outside world, one SDK a file."""
