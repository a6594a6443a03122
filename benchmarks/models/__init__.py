"""Scripted and small models, and what is recorded of them."""
