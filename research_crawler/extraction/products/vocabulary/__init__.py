"""What words, element names and identifiers on product pages mean."""
