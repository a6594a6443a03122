"""What persons are asked by a job, and what they answer."""
