"""Find the entry of a thing on a page that defines many: its heading with its section, its term with its definition.

Manuals define a hundred settings in one list. A value that stands a line further belongs to another one, so where a
thing has an entry, its values are read from there and from nowhere else.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from research_crawler.core.text.headings import heading_of
from research_crawler.text.languages.sentences import ITEM, plain

_MOST_WORDS: Final = 6
"""A line of more words, without brackets, is no term."""
_TERM: Final = 7
"""Level of a term, below those of headings."""


class _Opening(NamedTuple):
    """A line that may begin an entry."""

    start: int
    text: str
    level: int


def entry_spans(markdown: str, name: str) -> Sequence[tuple[int, int]]:
    """Start and end of the entries that a page has about a name; none where it defines no list of things.

    A page about one thing has no entries: its title says what it is about.
    """
    named = _name_pattern(name)
    if named.search(markdown) is None:
        return ()
    openings = _openings(markdown)
    levels = [opening.level for opening in openings]
    spans = []
    for place, (start, text, level) in enumerate(openings):
        if _begins_entry(text, named) and levels.count(level) > 1:
            ends = (opening.start for opening in openings[place + 1 :] if opening.level <= level)
            spans.append((start, next(ends, len(markdown))))
    return spans


@lru_cache(maxsize=64)
def _openings(markdown: str) -> Sequence[_Opening]:
    return tuple(_read_openings(markdown))


def _read_openings(markdown: str) -> Iterator[_Opening]:
    """The headings of a page, and its lines that stand by themselves and may be terms: `max_size (integer)`."""
    start, above, is_code = 0, "", False
    lines = [*markdown.split("\n"), ""]
    for line, below in pairwise(lines):
        text = line.strip()
        if text.startswith(("```", "~~~")):
            is_code = not is_code
        if heading := None if is_code else heading_of(text):
            yield _Opening(start, plain(heading[1]), heading[0])
        elif not is_code and text and not above and not below.strip() and _is_term(text):
            yield _Opening(start, plain(text), _TERM)
        start, above = start + len(line) + 1, text


def _is_term(text: str) -> bool:
    is_part = ITEM.match(text) or text.startswith("|") or text[-1] in ".!?;:,"
    return not is_part and len(text.partition("(")[0].split()) <= _MOST_WORDS


def _begins_entry(text: str, named: re.Pattern[str]) -> bool:
    """Whether a heading or term begins with the name, or has it among several."""
    found = named.search(text)
    before = text[: found.start()] if found else text
    return found is not None and (not before.strip(" \"'`<$-0123456789.") or "," in before)


@lru_cache(maxsize=256)
def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(' '.join(name.split()))}(?![\w-]|\.\w)", re.I)


def names_whole(text: str, name: str) -> bool:
    """Whether a text has a name as a word of its own: `max_size` is not in `max_size_mb`."""
    return _name_pattern(name).search(text) is not None
