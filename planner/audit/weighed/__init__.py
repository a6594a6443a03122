"""Answers of any wording, read by the kind of answer that a question asks for, and weighed by signs for each pair."""
