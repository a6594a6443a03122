"""What a job asks a person, and what follows from the answer."""
