"""Checks what a model wrote against its quotes, before sources are numbered."""
