"""The brain that works without a model: words, nearness and what pages name."""
