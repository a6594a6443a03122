"""A view of a text for comparing quotes: without marks and typography, with offsets into the source."""

import re
import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

_QUOTES = '‘’‚‛′´`ʼ“”„‟″«»‹›"'
_DASHES = "‐‑‒–—―−"
_MARKS = "*_`~|#[]\\"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"
_DROPPED = set(_MARKS + _INVISIBLE)
_FOLDED = dict.fromkeys(_QUOTES, "'") | dict.fromkeys(_DASHES, "-") | dict.fromkeys(_DROPPED, "")
_PLAIN_RUN = re.compile(rf"[^\x00-\x7f{_QUOTES}{_DASHES}{_INVISIBLE}\s]+")
_CHANGED = re.compile(
    r"(?P<target>\]\((?:<[^<>\n]{0,1000}>|[^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)"
    r"(?:[ ]+\"[^\"\n]{0,300}\")?\))"  # of a link
    r"|(?P<footnote>\[\d{1,3}\])"
    rf"|(?P<lone>(?:^|(?<=\s))[-{_DASHES}]+(?=\s|$))"  # list marks, rules of tables, dashes with spaces
    r"|(?P<quoted>(?:^|(?<=\n))>+(?!\s?[\d=]))"  # but no comparison: "> 1000"
    r"|(?P<space>\s{2,}|[^\S ])"
    rf"|(?P<marks>[{re.escape(_MARKS)}\"{_DASHES}]+)"
    rf"|(?P<other>[\x21-\x7e]?[^\x00-\x7f\s{_DASHES}]+)"
)
_GONE = {"target", "footnote", "lone", "quoted"}


@dataclass(slots=True)
class QuoteView:
    """A folded text. Its character n stands for `source[starts[n]:ends[n]]`.

    Folding changes Unicode to NFKC, any white space to one space, all quotation marks and apostrophes to one
    character, and all dashes to one. It drops Markdown marks, link targets, footnote numbers, dashes between
    spaces, soft hyphens and other invisible characters. It does not change case.
    """

    source: str
    text: str = ""
    starts: "array[int]" = field(default_factory=lambda: array("l"))
    ends: "array[int]" = field(default_factory=lambda: array("l"))

    def __post_init__(self) -> None:
        pieces: list[str] = []
        places = array("l", range(len(self.source) + 1))
        done = 0
        for match in _CHANGED.finditer(self.source):
            self._copy(pieces, places[done : match.start() + 1])
            done = match.end()
            kind = match.lastgroup or ""
            if kind == "space":
                self._put(pieces, " ", match.start(), match.end())
            elif kind not in _GONE:
                self._fold(pieces, places, match.start(), match.end())
        self._copy(pieces, places[done:])
        self.text = "".join(pieces)

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the source of a non-empty slice of the view."""
        return self.starts[start], self.ends[end - 1]

    def _copy(self, pieces: list[str], places: "array[int]") -> None:
        """Append a part of the source as it is, by its places and the one behind it."""
        if places[0] < places[-1] and self.source[places[0]] == " " and (not pieces or pieces[-1][-1] == " "):
            places = places[1:]
        if len(places) > 1:
            pieces.append(self.source[places[0] : places[-1]])
            self.starts.extend(places[:-1])
            self.ends.extend(places[1:])

    def _put(self, pieces: list[str], folded: str, start: int, end: int) -> None:
        """Append the folded characters of a source span; white space only after another character."""
        for char in folded:
            if char == " " and (not pieces or pieces[-1][-1] == " "):
                continue
            pieces.append(char)
            self.starts.append(start)
            self.ends.append(end)

    def _fold(self, pieces: list[str], places: "array[int]", start: int, end: int) -> None:
        run = self.source[start:end]
        if _PLAIN_RUN.fullmatch(run) and unicodedata.is_normalized("NFKC", run):
            self._copy(pieces, places[start : end + 1])
            return
        for left, right in _clusters(run):
            composed = unicodedata.normalize("NFKC", "".join(_FOLDED.get(c, c) for c in run[left:right]))
            folded = "".join(" " if c.isspace() else _FOLDED.get(c, c) for c in composed)
            self._put(pieces, folded, start + left, start + right)


def _clusters(run: str) -> Iterator[tuple[int, int]]:
    """The spans of characters with what combines with them: accents, later parts of a Hangul syllable."""
    left = 0
    for index in range(1, len(run) + 1):
        if index == len(run) or not (unicodedata.combining(run[index]) or "\u1160" <= run[index] <= "\u11ff"):
            yield left, index
            left = index
