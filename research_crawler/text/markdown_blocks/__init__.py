"""Pieces of a page as readers and models are shown them: blocks, excerpts, sections."""
