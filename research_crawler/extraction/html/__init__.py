"""From bytes to a tree and its text blocks."""
