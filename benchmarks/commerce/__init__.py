"""What is read from the pages of shops, and what is bought."""
