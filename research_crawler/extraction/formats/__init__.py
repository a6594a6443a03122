"""Reads documents that are not HTML pages: feeds, PDF files, robots.txt."""
