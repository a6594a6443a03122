"""What a report cites: evidence ids, numbered sources, and which addresses are one source."""
