"""Questions to the archive: its memory, and what it keeps."""
