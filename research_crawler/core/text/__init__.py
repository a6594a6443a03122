"""Plain text: what is taken out of it, where its abbreviations end, which of its lines are headings."""
