"""Models: chat endpoints, the small local model and sentence embeddings."""
