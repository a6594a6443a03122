"""The two brains: one asks a model, the extractive one works without any."""
