"""A page's title, author, dates, language and links."""
