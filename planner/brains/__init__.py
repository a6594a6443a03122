"""The two brains: a model, and the extractive one that needs none."""
