"""Spiders: search, page and their base."""
