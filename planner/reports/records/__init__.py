"""The documents of a running job, rendered from its record at any time."""
