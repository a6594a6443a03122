"""Exports: the report of a job as a document in another format. Each format is one file, listed in `formats.py`."""
