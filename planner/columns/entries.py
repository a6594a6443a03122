"""Find the entry of a thing on a page that defines many: its heading with its section, its term with its definition.

Manuals define a hundred settings in one list. A value that stands a line further belongs to another one, so where a
thing has an entry, its values are read from there and from nowhere else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from research_crawler.core.text.headings import heading_of
from research_crawler.text.query_words import is_code
from research_crawler.text.sentences import ITEM, plain

_LINE: Final = re.compile(r"^[^\n]*$", re.M)
_MOST_TERM_WORDS: Final = 6
"""A line of more words, without brackets, is no term."""
_MOST_HEADING_WORDS: Final = 2
"""So many words may follow the name in the heading of its entry: `KeepAliveTimeout Directive`."""
_TERM: Final = re.compile(r"[\w$<-](?:[^.!?;:|(]|[.:](?=[\w$]))*(?:\(.*\))?")
"""A line that is no sentence and no label: `max_size (integer)`, `fetch.prune`, `relayhost (default: empty)`."""
_LEAST_TERMS: Final = 2
"""So many terms make a list; a single short line may be anything."""


@dataclass(frozen=True)
class _Opening:
    """A line that may begin an entry."""

    start: int
    text: str
    level: int
    """Of a heading; 0 for a term."""
    is_bracketed: bool

    def ends(self, other: "_Opening") -> bool:
        """Whether this line ends the entry that another one began: a term within a definition does not.

        Where terms have something in brackets (a type, a default), a bare word below is a value of the setting.
        """
        if self.level:
            return self.level <= other.level or not other.level
        return not other.level and self.is_bracketed >= other.is_bracketed


def entry_spans(markdown: str, name: str) -> Sequence[tuple[int, int]]:
    """Start and end of the entries that a page has about a name; none where it defines no list of things.

    A page about one thing has no entries: its title says what it is about.
    """
    named = _name_pattern(name)
    if named.search(markdown) is None:
        return ()
    openings = _openings(markdown)
    spans = []
    for place, opening in enumerate(openings):
        if not _begins_entry(opening, named) or not _has_siblings(openings, opening):
            continue
        following = (other.start for other in openings[place + 1 :] if other.ends(opening))
        spans.append((opening.start, next(following, len(markdown))))
    return spans


@lru_cache(maxsize=64)
def _openings(markdown: str) -> Sequence[_Opening]:
    return tuple(_read_openings(markdown))


def _read_openings(markdown: str) -> Iterator[_Opening]:
    """The headings of a page, and its lines that stand by themselves and may be terms."""
    lines = list(_LINE.finditer(markdown))
    is_code = False
    for place, line in enumerate(lines):
        text = line[0].strip()
        if text.startswith(("```", "~~~")):
            is_code = not is_code
        if is_code or not text:
            continue
        if title := heading_of(text):
            level = len(text) - len(text.lstrip("#"))
            yield _Opening(line.start(), plain(title[1]), level, is_bracketed=False)
        elif _stands_alone(lines, place) and not ITEM.match(text) and not text.startswith("|"):
            term = plain(text)
            if _TERM.fullmatch(term) and len(term.partition("(")[0].split()) <= _MOST_TERM_WORDS:
                yield _Opening(line.start(), term, 0, is_bracketed=term.endswith(")"))


def _stands_alone(lines: Sequence[re.Match[str]], place: int) -> bool:
    beside = [lines[at][0].strip() for at in (place - 1, place + 1) if 0 <= at < len(lines)]
    return not any(beside)


def _begins_entry(opening: _Opening, named: re.Pattern[str]) -> bool:
    """Whether a heading or term is the name, with a word or two about its kind, or one of several names."""
    found = named.search(opening.text)
    if not found:
        return False
    before, behind = opening.text[: found.start()], opening.text[found.end() :].partition("(")[0]
    is_first = not before.strip(" \"'`<$-0123456789.") or "," in before
    return is_first and ("," in behind or len(behind.split()) <= _MOST_HEADING_WORDS)


def _has_siblings(openings: Sequence[_Opening], opening: _Opening) -> bool:
    alike = (o for o in openings if (o.level, o.is_bracketed) == (opening.level, opening.is_bracketed))
    return sum(1 for _ in alike) >= _LEAST_TERMS


def entry_names(name: str) -> list[str]:
    """The names under which a thing may have an entry: its own, and those in it that are code: `nginx rewrite_log`."""
    return list(dict.fromkeys([name, *(word for word in name.split() if is_code(word))]))


@lru_cache(maxsize=256)
def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(' '.join(name.split()))}(?![\w-]|\.\w)", re.I)


def names_whole(text: str, name: str) -> bool:
    """Whether a text has a name as a word of its own: `max_size` is not in `max_size_mb`."""
    return _name_pattern(name).search(text) is not None
