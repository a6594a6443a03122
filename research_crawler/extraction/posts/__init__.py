"""Posts of a thread and reviews, declared by the page or inferred."""
