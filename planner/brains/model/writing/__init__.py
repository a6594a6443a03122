"""A report written by a model: what it is shown, and how its parts are read."""
