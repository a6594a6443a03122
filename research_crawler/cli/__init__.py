"""Command line: one file a group; parse, call app, print."""
