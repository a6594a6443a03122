"""Compare what a report says with the quotes that it cites, from cheap checks to dear ones."""
