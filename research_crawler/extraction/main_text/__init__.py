"""A page's main text: blocks rated by trained trees, and the kind of the page."""
