"""What comes next: labels of results, what is covered, and the next action."""
