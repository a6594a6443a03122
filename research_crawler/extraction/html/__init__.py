"""Decodes the bytes of a page, parses them into a tree and splits the tree into text blocks."""
