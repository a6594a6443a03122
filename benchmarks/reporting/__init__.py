"""What reports say: facts found, sentences that their sources support."""
