"""Finishes sanitized text: the last step of every reader, before the text is stored."""

import re
import unicodedata

MOST_REPEATS = 200
"""A longer run of one character is cut to so many: it says nothing, and costs everything that reads it later."""
_RUN = re.compile(rf"(.)(?<!\1\1)\1{{{MOST_REPEATS - 1}}}\1++", re.S)
_UNSEEN = dict.fromkeys([0xAD, 0x200B, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Soft hyphens, spaces without width, and marks that turn the direction of text: a number with them between its digits
is read as a whole by people only. Joiners stay, which scripts need."""


def finished(text: str) -> str:
    """Text in Unicode's form NFC, without long runs of one character and without characters that nobody sees."""
    normal = unicodedata.normalize("NFC", text.translate(_UNSEEN))
    return _RUN.sub(lambda run: run[0][:MOST_REPEATS], normal)
