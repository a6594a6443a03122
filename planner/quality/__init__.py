"""How good a job's evidence is: its attempts, which is best, and what follows from their scores. Pure."""
