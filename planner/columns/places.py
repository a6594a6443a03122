"""Find the places of a page where a value may stand, each with what it is about: heading, label, table header."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from planner.text.sentences import Unit, plain, units
from research_crawler.core.models.pages import StoredPage
from research_crawler.core.text.headings import heading_of

MAX_READ_CHARS: Final = 200_000
"""Of a longer page only the beginning is looked at."""
_LINE: Final = re.compile(r"^[^\n|]+$", re.M)
_LEAST_CHARS, _MOST_SHORT = 4, 30
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

    @property
    def markdown(self) -> str:
        """The quote as the page has it."""
        return self.page.page.markdown[self.start : self.end]

    @property
    def asked_text(self) -> str:
        """The text with its label and heading, as a question is compared with it."""
        parts = [self.context, self.label, self.text]
        return ": ".join(part for part in parts if part)


def value_places(page: StoredPage) -> list[ValuePlace]:
    """All places of a page where a value may stand, in order."""
    markdown = page.page.markdown[:MAX_READ_CHARS]
    found: list[ValuePlace] = []
    header: list[str] = []
    block, before = -1, ""
    for unit in units(markdown):
        if unit.form != "row":
            context = (
                f"{unit.heading}: {before}" if unit.leans and unit.block == block and before else unit.heading
            )
            found.append(ValuePlace(page, unit.start, unit.end, unit.text, context, _label(unit.text)))
            header, block, before = [], unit.block, unit.text
            continue
        cells = _cells(markdown[unit.start : unit.end])
        is_header = _is_above_rule(markdown, unit.end)
        if is_header or unit.block != block:
            header = cells if is_header else []
        found += _of_row(page, unit, cells, [] if is_header else header)
        block, before = unit.block, ""
    return sorted([*found, *_short_lines(page, markdown, found)], key=lambda spot: spot.start)


def _short_lines(page: StoredPage, markdown: str, found: Sequence[ValuePlace]) -> Iterator[ValuePlace]:
    """Lines that are too short to be quoted as evidence, and long enough for a value: "It weighs 3 kg." """
    covered = {(spot.start, spot.end) for spot in found}
    starts = sorted(start for start, _ in covered)
    heading, place = "", 0
    for line in _LINE.finditer(markdown):
        if title := heading_of(line[0]):
            heading = plain(title[1])
            continue
        while place < len(starts) and starts[place] < line.start():
            place += 1
        has_unit = place < len(starts) and starts[place] < line.end()
        text = plain(line[0])
        if not has_unit and _LEAST_CHARS <= len(text) <= _MOST_SHORT and any(char.isalnum() for char in text):
            start = line.start() + len(line[0]) - len(line[0].lstrip())
            yield ValuePlace(page, start, start + len(line[0].strip()), text, heading, _label(text))


def _of_row(
    page: StoredPage, unit: Unit, cells: Sequence[str], header: Sequence[str]
) -> Iterator[ValuePlace]:
    """The cells of a row, each with the heads of its row and column; a row of two cells is a label and its value."""
    if len(cells) < 2:
        yield ValuePlace(page, unit.start, unit.end, unit.text, unit.heading)
        return
    for place, cell in enumerate(cells[1:], 1):
        if not cell:
            continue
        head = header[place] if place < len(header) else ""
        if len(cells) == 2 and any(char.isdigit() for char in head):
            head = ""  # the first pair of a list of pairs, which Markdown makes the header
        label = ": ".join(part for part in (cells[0], head) if part)
        yield ValuePlace(page, unit.start, unit.end, cell, unit.heading, label)
    if header and header[0]:  # the first cell may be a value itself: a date, a name
        yield ValuePlace(page, unit.start, unit.end, cells[0], unit.heading, header[0])


def _is_above_rule(markdown: str, end: int) -> bool:
    """Whether the line behind this place is the rule below a table's header."""
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
    return label.strip() if mark and rest.strip() and len(label) <= 60 and len(label.split()) <= 7 else ""
