"""Pages as they are stored, and what a browser session leaves for a host."""
