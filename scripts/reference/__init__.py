"""Reference pages of the documentation, made from the code: `PAGES` has a function for each, which returns Markdown."""
