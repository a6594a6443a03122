"""Item pipelines, one step a file, and the indexer."""
