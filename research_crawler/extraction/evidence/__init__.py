"""Finds passages, sentences and quotes, with their offsets in the stored text."""
