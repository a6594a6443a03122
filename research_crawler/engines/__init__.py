"""Search providers, one a file, and the fusion of their results."""
