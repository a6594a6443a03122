"""The command `research demo`: a question, or a watch, on a small invented web."""
