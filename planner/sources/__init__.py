"""What is known about the sources of a report: how credible each is, how diverse they are, which themes they share."""
