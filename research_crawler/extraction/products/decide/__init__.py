"""One product from all that a page says: which price, which fields, with what confidence."""
