"""Recognises walls that a site sends instead of a page, and never solves them. No I/O."""
