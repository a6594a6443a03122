"""What a question asks for, of what, and how it is searched for."""
