"""The blocks of a page: what is known of each, and which of them are its main text."""
