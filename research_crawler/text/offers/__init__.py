"""Names and kinds of products, and how people write about buying."""
