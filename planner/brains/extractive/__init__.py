"""The brain without a model: it ranks, quotes and selects."""
