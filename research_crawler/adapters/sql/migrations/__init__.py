"""The archive's schema, step by step; applied when the archive is opened."""
