"""Search providers, one a file, each with its settings."""
