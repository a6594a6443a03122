"""In-memory versions of the adapters, for tests and small processes."""
