"""What is searched: queries for a question and its parts, and the names that first pages lead to."""
