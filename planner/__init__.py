"""Decides what to search and read, and writes the report; talks to ports only."""
