"""Find the places of a page where a value may stand, each with what it is about: heading, label, table header."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from planner.columns.entries import entry_spans, names_whole
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.text.headings import heading_of
from research_crawler.text.languages.sentences import Unit, plain, units

MAX_READ_CHARS: Final = 200_000
"""Of a longer page only the beginning is looked at."""
_LABEL_CHARS, _LABEL_WORDS = 60, 7
_IN_BRACKETS: Final = re.compile(r"\(([\w ]{2,30}): ([^()]*+(?:\([^()]*+\)[^()]*+)?)\)\s*+$")
_CELL: Final = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class ValuePlace:
    """A sentence, an item, a row or a cell of a page; the quote is `page.markdown[start:end]`."""

    page: StoredPage
    start: int
    end: int
    text: str
    """What a value is read from, without Markdown marks."""
    context: str = ""
    """What stands around it and says what it is about."""
    label: str = ""
    """The label before it, or the heads of its row and column: `Weight`."""
    is_pair: bool = False
    """Whether the label names what the value is, and no thing of several that a table compares."""
    is_entry: bool = False
    """Whether it stands in the entry that a list of definitions has about the subject."""

    @property
    def markdown(self) -> str:
        """The quote as the page has it."""
        return self.page.page.markdown[self.start : self.end]

    @property
    def asked_text(self) -> str:
        """The text with its label and heading, as a question is compared with it."""
        return ": ".join(part for part in (self.context, self.label, self.text) if part)


def places_in_pages(pages: Sequence[StoredPage], name: str) -> list[ValuePlace]:
    """The places of pages where a value of the thing with this name may stand.

    Where a page has an entry of the thing, its values are read there, and on pages about the thing alone: one further
    off belongs to another thing.
    """
    # On a page about the thing, headings are parts of it, and no entries of a list.
    about = [page for page in pages if names_whole(page.page.title, name)]
    entries = [
        place
        for page in pages
        if page not in about
        for start, end in entry_spans(page.page.markdown, name)
        for place in _entry_places(page, start, end)
    ]
    read = about if entries else pages
    return entries + [place for page in read for place in value_places(page)]


def _entry_places(page: StoredPage, start: int, end: int) -> Iterator[ValuePlace]:
    """The places of an entry, the values in the brackets of its term among them: `relayhost (default: empty)`."""
    markdown = page.page.markdown[start:end]
    line = markdown.partition("\n")[0]
    term = plain(heading[1]) if (heading := heading_of(line)) else plain(line)
    for place in value_places(page, markdown[:MAX_READ_CHARS]):
        if place.is_pair and place.label == term:  # it names the entry, and no value
            continue
        moved = replace(place, start=start + place.start, end=start + place.end, is_entry=True)
        yield replace(moved, context=moved.context or term)
    for label, value in _IN_BRACKETS.findall(line):
        yield ValuePlace(
            page, start, start + len(line), value.strip(), term, label.strip(), is_pair=True, is_entry=True
        )


def value_places(page: StoredPage, text: str = "") -> list[ValuePlace]:
    """All places of a page, or of a part of its text, where a value may stand, in order."""
    markdown = text or page.page.markdown[:MAX_READ_CHARS]
    found: list[ValuePlace] = []
    header: list[str] = []
    block = -1
    for unit in units(markdown):
        if unit.form == "row":
            cells, is_header = _cells(markdown[unit.start : unit.end]), _is_above_rule(markdown, unit.end)
            if is_header or unit.block != block:
                header = cells if is_header and len(cells) > 2 else []  # two are a label and its value
            found += _of_row(page, unit, cells, [] if is_header else header)
        else:
            label = _label(unit.text)
            found.append(
                ValuePlace(page, unit.start, unit.end, unit.text, unit.heading, label, is_pair=bool(label))
            )
        block = unit.block
    return sorted([*found, *_labelled(markdown, found)], key=lambda spot: (spot.start, spot.end))


def _labelled(markdown: str, spots: Sequence[ValuePlace]) -> Iterator[ValuePlace]:
    """Values below a line that names them, as lists of terms have it: "Designer", and below it "Jane Doe"."""
    for above, spot in pairwise(spots):
        between = markdown[above.end : spot.start]
        is_below = above.end <= spot.start and "\n" in between and not between.strip("\n -*•")
        label = above.text.rstrip(" :")
        if is_below and not markdown.startswith("|", spot.start) and _names_value(above, label):
            yield replace(spot, start=above.start, context=above.context, label=label, is_pair=True)


def _names_value(spot: ValuePlace, label: str) -> bool:
    """Whether a line is short enough for a label and is no sentence, no item with a value of its own and no row."""
    is_short = 2 <= len(label) <= _LABEL_CHARS and len(label.split()) <= _LABEL_WORDS
    return is_short and not spot.label and label[-1] not in ".!?;," and not spot.markdown.startswith("|")


def _of_row(
    page: StoredPage, unit: Unit, cells: Sequence[str], header: Sequence[str]
) -> Iterator[ValuePlace]:
    """The cells of a row, each with the heads of its row and column; a pair is a label and its value."""
    place = ValuePlace(page, unit.start, unit.end, unit.text, unit.heading)
    if len(cells) < 2:
        yield place
        return
    for n, cell in enumerate(cells[1:], 1):
        head = header[n] if n < len(header) else ""
        label = ": ".join(part for part in (cells[0].rstrip(" :"), head) if part)
        if cell:
            yield replace(place, text=cell, label=label, is_pair=len(cells) == 2)


def _is_above_rule(markdown: str, end: int) -> bool:
    """Whether the line behind `end` is the rule below a table's header."""
    following = markdown.find("\n", end)
    stop = markdown.find("\n", following + 1)
    line = markdown[following + 1 : stop if stop > 0 else None].strip() if following >= 0 else ""
    return "-" in line and not line.strip("|:- \t")


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [plain(cell.replace("\\|", "|")) for cell in _CELL.split(inner)]


def _label(text: str) -> str:
    """The label of an item such as "Weight: 3 kg"; "" for a sentence."""
    label, mark, rest = text.partition(":")
    is_short = len(label) <= _LABEL_CHARS and len(label.split()) <= _LABEL_WORDS
    return label.strip() if mark and rest.strip() and is_short else ""
