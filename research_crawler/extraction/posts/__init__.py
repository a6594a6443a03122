"""Reads the posts of a thread and reviews, which the page declares."""
