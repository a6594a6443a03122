"""The shops of the demo web: their offers, words, pages and server."""
