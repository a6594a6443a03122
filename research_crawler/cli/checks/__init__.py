"""What `research doctor` checks."""
