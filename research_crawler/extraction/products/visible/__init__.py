"""Reads products from what a reader sees: headings, prices, tables, lists."""
