"""Products as a reader sees them: headings, prices, tables, lists."""
