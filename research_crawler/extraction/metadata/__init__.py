"""Reads a page's title, author, dates, language and links."""
