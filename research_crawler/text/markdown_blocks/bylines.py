"""Recognise the line that says who wrote a post and when: "answered May 2, 2009 at 0:06", "jo · 3 days ago"."""

import re
from typing import Final

from research_crawler.text.languages.dates import dates

MOST_BYLINE_CHARS, _MOST_NAME_WORDS = 90, 4
_AGO: Final = re.compile(
    r"\b\d+\+? ?(?:s|m|h|d|w|mo|y|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|weeks?|months?|years?) ago\b"
    r"|\bvor \d+ \w+\b|\bil y a \d+ \w+|\bhace \d+ \w+|\b(?:yesterday|today) at\b",
    re.I,
)
_STAMP: Final = re.compile(
    r"\b(?:\d{4}-\d\d-\d\dT)?\d{1,2}:\d\d(?::\d\d)?(?:[+-]\d\d:?\d\d|Z)?\s?(?:[ap]\.?m\b\.?|uhr\b)?", re.I
)
_VERB: Final = re.compile(
    r"\b(?:answered|asked|edited|posted|commented|replied|modified|updated|joined|wrote|written|published|last edit\w*"
    r"|(?:original )?poster|(?:new|senior|junior) member|moderator|geschrieben|gepostet|verfasst|bearbeitet|publié"
    r"|écrit|publicado|escribió)\b",
    re.I,
)
_OTHER: Final = re.compile(r"#?\d+|\b(?:at|on|by|in|am|um|von|le|à|el|a las)\b|[^\w\s]", re.I)


def is_byline(line: str) -> bool:
    """Whether a short line only says who wrote something and when.

    That is a date alone, or one with a name and a time of day or a verb of writing; "Built in May 1871" is none.
    """
    if len(line) > MOST_BYLINE_CHARS:
        return False
    days = dates(line, "")
    for day in reversed(days):
        line = f"{line[: day.start]} 0 {line[day.end :]}"
    rest, stamps = _STAMP.subn(" ", line)
    rest, times_ago = _AGO.subn(" ", rest)
    if not any(char.isdigit() for char in line) or not (days or times_ago):
        return False
    rest, verbs = _VERB.subn(" ", rest)
    names = _OTHER.sub(" ", rest).split()
    if not names:
        return True
    return bool(stamps or times_ago or verbs) and len(names) <= _MOST_NAME_WORDS
