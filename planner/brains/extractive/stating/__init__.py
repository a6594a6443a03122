"""What states a sub-question: what it asks, and the passage that has it."""
