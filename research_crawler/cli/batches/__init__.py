"""The commands `research batch …`: many questions of one form."""
