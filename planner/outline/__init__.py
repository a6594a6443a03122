"""The living outline of a job: made of its question, filled as evidence comes, rewritten by brains or given."""
