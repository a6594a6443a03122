"""Finds the main text of a page with a trained model that rates its blocks, and the kind of the page."""
