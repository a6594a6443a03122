"""Search providers, one per file, and the fusion of their results into one list."""
