"""Prompts as Markdown files with their recipes, and the loader."""
