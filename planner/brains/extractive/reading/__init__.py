"""What a page says about a question: its excerpts, their kinds and their relevance."""
