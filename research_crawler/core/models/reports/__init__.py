"""Reports: what brains write, and the document that is made of it."""
