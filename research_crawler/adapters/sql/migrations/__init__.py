"""The migrations of the archive's schema. They are applied when the archive is opened."""
