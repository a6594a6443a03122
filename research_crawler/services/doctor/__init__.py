"""What `research doctor` and the page Doctor check, with what to do where something is missing."""
