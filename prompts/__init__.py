"""The prompts: Markdown files with their recipes, their loader, and the schemas and parsers of the answers."""
