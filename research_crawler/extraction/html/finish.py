"""Finishes sanitized text: the last step of every reader, before the text is stored."""

import re
import unicodedata

MOST_REPEATS = 200
"""A longer run of one character is cut to so many: it says nothing, and costs everything that reads it later."""
_RUN = re.compile(rf"(.)(?<!\1\1)\1{{{MOST_REPEATS - 1}}}\1++", re.S)


def finished(text: str) -> str:
    """Text in Unicode's form NFC, without long runs of one character."""
    normal = unicodedata.normalize("NFC", text)
    return _RUN.sub(lambda run: run[0][:MOST_REPEATS], normal)
