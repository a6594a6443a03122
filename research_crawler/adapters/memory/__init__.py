"""In-memory twins of the adapters, for tests and small processes."""
