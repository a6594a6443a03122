"""The lines of `research doctor`: a mark, what was checked, and what was found."""

OK, WARN, BAD, OFF = "ok  ", "warn", "FAIL", "off "
NAMED = 3
"""How many failed watches, or models of a server, are named in a line."""
Line = tuple[str, str, str]
