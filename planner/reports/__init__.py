"""The documents that people read, rendered from the record."""
