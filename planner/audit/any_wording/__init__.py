"""Answers in any wording: read by the kind of answer that a question asks for, from sentences, labels and short rows."""
