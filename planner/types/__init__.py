"""Types of research: how each searches, and what its report has besides the answer. Pure."""
