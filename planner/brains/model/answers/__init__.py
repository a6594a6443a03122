"""A model's answers read: repaired, parsed, with only the ids that it was shown."""
