"""Passages, sentences and quotes with offsets in the stored text."""
