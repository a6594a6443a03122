"""Find the places of a page where a value may stand, each with what it is about: heading, label, table header."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from planner.columns.entries import entry_spans, names_whole
from research_crawler.core.models.pages import StoredPage
from research_crawler.core.text.headings import heading_of
from research_crawler.text.sentences import Unit, plain, units

MAX_READ_CHARS: Final = 200_000
"""Of a longer page only the beginning is looked at."""
_LINE: Final = re.compile(r"^[^\n|]+$", re.M)
_LEAST_CHARS, _MOST_SHORT = 2, 30
_LABEL_CHARS, _LABEL_WORDS = 60, 7
_MOST_HEAD: Final = 40
"""A longer text in the second cell of a table's first row is no head of a column but a value."""
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
    heading: str = ""
    """The heading of its section."""
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
        parts = [self.context, self.label, self.text]
        return ": ".join(part for part in parts if part)


def places_in_pages(pages: Sequence[StoredPage], names: Sequence[str]) -> list[ValuePlace]:
    """The places of pages where a value of the thing with these names may stand.

    Where a page has an entry of the thing, only those of the entries: a value further off belongs to another one.
    """
    entries = [
        place
        for page in pages
        if not _is_page_about(page, names)
        for start, end in dict.fromkeys(
            span for name in names for span in entry_spans(page.page.markdown, name)
        )
        for place in _entry_places(page, start, end)
    ]
    return entries or [place for page in pages for place in value_places(page)]


def _is_page_about(page: StoredPage, names: Sequence[str]) -> bool:
    """Whether a page is about one of the names: its headings are then parts of it, and no entries of a list."""
    first = page.page.headings[0].text if page.page.headings else ""
    is_list = len(names) > 1 or " " not in names[0]  # a setting may be the first of the list
    return any(names_whole(page.page.title, name) for name in names) or (
        not is_list and any(names_whole(first, name) for name in names)
    )


def _entry_places(page: StoredPage, start: int, end: int) -> Iterator[ValuePlace]:
    """The places of an entry, the values in the brackets of its term among them: `relayhost (default: empty)`."""
    markdown = page.page.markdown[start:end]
    line = markdown.partition("\n")[0]
    term = plain(heading[1]) if (heading := heading_of(line)) else plain(line)
    for place in value_places(page, markdown[:MAX_READ_CHARS]):
        moved = replace(place, start=start + place.start, end=start + place.end, is_entry=True)
        yield replace(moved, heading=moved.heading or term, context=moved.context or term)
    for label, value in _IN_BRACKETS.findall(line):
        yield ValuePlace(
            page,
            start,
            start + len(line),
            value.strip(),
            term,
            label.strip(),
            term,
            is_pair=True,
            is_entry=True,
        )


def value_places(page: StoredPage, text: str = "") -> list[ValuePlace]:
    """All places of a page, or of a part of its text, where a value may stand, in order."""
    markdown = text or page.page.markdown[:MAX_READ_CHARS]
    found: list[ValuePlace] = []
    header: list[str] = []
    block, before = -1, ""
    all_units = units(markdown)
    numbers = _number_tables(markdown, all_units)
    for unit in all_units:
        if unit.form != "row":
            context = (
                f"{unit.heading}: {before}" if unit.leans and unit.block == block and before else unit.heading
            )
            label = _label(unit.text)
            found.append(
                ValuePlace(page, unit.start, unit.end, unit.text, context, label, unit.heading, bool(label))
            )
            header, block, before = [], unit.block, unit.text
            continue
        cells = _cells(markdown[unit.start : unit.end])
        is_header = _is_above_rule(markdown, unit.end)
        if is_header or unit.block != block:
            header = cells if is_header else []
        is_pair = len(cells) == 2 and unit.block not in numbers
        found += _of_row(page, unit, cells, [] if is_header or is_pair else header, is_pair=is_pair)
        block, before = unit.block, ""
    ordered = sorted([*found, *_short_lines(page, markdown, found)], key=lambda spot: spot.start)
    return sorted([*ordered, *_labelled(markdown, ordered)], key=lambda spot: (spot.start, spot.end))


def _labelled(markdown: str, spots: Sequence[ValuePlace]) -> Iterator[ValuePlace]:
    """Values below a line that names them, as lists of terms have it: "Designer", and below it "Jane Doe"."""
    for above, spot in pairwise(spots):
        between = markdown[above.end : spot.start]
        is_row, is_item = markdown.startswith("|", spot.start), bool(between.strip())
        if above.end <= spot.start and "\n" in between and not between.strip("\n -*•") and not is_row:
            label = above.text.rstrip(" :")
            if _names_value(above, label) and (above.text.endswith(":") or not is_item):
                yield replace(spot, start=above.start, context=above.context, label=label, is_pair=True)


def _names_value(spot: ValuePlace, label: str) -> bool:
    """Whether a line is short enough for a label and is no sentence, no item with a value of its own and no row."""
    is_short = 2 <= len(label) <= _LABEL_CHARS and len(label.split()) <= _LABEL_WORDS
    return is_short and not spot.label and label[-1] not in ".!?;," and not spot.markdown.startswith("|")


def _short_lines(page: StoredPage, markdown: str, found: Sequence[ValuePlace]) -> Iterator[ValuePlace]:
    """Lines that are too short to be quoted as evidence, and long enough for a value: "It weighs 3 kg." """
    covered = {(spot.start, spot.end) for spot in found}
    starts = sorted(start for start, _ in covered)
    heading, n = "", 0
    for line in _LINE.finditer(markdown):
        if title := heading_of(line[0]):
            heading = plain(title[1])
            continue
        while n < len(starts) and starts[n] < line.start():
            n += 1
        has_unit = n < len(starts) and starts[n] < line.end()
        text = plain(line[0])
        if not has_unit and _LEAST_CHARS <= len(text) <= _MOST_SHORT and any(char.isalnum() for char in text):
            start = line.start() + len(line[0]) - len(line[0].lstrip())
            label = _label(text)
            end = start + len(line[0].strip())
            yield ValuePlace(page, start, end, text, heading, label, heading, bool(label))


def _number_tables(markdown: str, all_units: Sequence[Unit]) -> frozenset[int]:
    """The blocks of tables with two columns whose second one has a head without a digit above nothing but numbers.

    Of other tables with two columns the first row is a label with its value, like the rows below it.
    """
    rows: dict[int, list[str]] = {}
    for unit in all_units:
        if unit.form == "row":
            rows.setdefault(unit.block, []).append(_cells(markdown[unit.start : unit.end])[-1])
    return frozenset(
        block
        for block, (head, *values) in rows.items()
        if values and not _has_digit(head) and all(map(_has_digit, values)) and len(head) <= _MOST_HEAD
    )


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _of_row(
    page: StoredPage, unit: Unit, cells: Sequence[str], header: Sequence[str], *, is_pair: bool
) -> Iterator[ValuePlace]:
    """The cells of a row, each with the heads of its row and column; a pair is a label and its value."""
    if len(cells) < 2:
        yield ValuePlace(page, unit.start, unit.end, unit.text, unit.heading, heading=unit.heading)
        return
    for n, cell in enumerate(cells[1:], 1):
        if not cell:
            continue
        head = header[n] if n < len(header) else ""
        label = ": ".join(part for part in (cells[0].rstrip(" :"), head) if part)
        yield ValuePlace(page, unit.start, unit.end, cell, unit.heading, label, unit.heading, is_pair)
    if header and header[0]:  # the first cell may be a value itself: a date, a name
        yield ValuePlace(page, unit.start, unit.end, cells[0], unit.heading, header[0], unit.heading)


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
