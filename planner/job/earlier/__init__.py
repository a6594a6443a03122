"""What a job takes over from earlier jobs."""
