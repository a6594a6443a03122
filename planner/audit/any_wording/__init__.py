"""Answers in any wording, read by the kind that a question asks for, from sentences, labels and short rows."""
