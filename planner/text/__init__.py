"""Words, sentences and rankings: pure functions on text."""
