"""Products as a page declares them: JSON-LD, microdata, Open Graph, embedded state."""
