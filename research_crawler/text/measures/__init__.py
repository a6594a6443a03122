"""How like texts are, by their words and by their vectors."""
