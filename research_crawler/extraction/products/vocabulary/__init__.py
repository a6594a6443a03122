"""The meaning of words, element names and identifiers on product pages."""
