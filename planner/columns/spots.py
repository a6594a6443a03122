"""Find the places of a page where a value may stand, each with what it is about: heading, label, table header."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from planner.text.sentences import Unit, plain, units
from research_crawler.core.models.pages import StoredPage

MAX_PAGE_CHARS: Final = 200_000
"""Of a longer page only the beginning is looked at."""
_TABLE_RULE: Final = re.compile(r"\n\s*\|?[\s:|-]*-[\s:|-]*(?:\n|$)")
_CELL: Final = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Spot:
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


def spots_of(page: StoredPage) -> list[Spot]:
    """All places of a page where a value may stand, in order."""
    markdown = page.page.markdown[:MAX_PAGE_CHARS]
    found: list[Spot] = []
    header: list[str] = []
    block, before = -1, ""
    for unit in units(markdown):
        if unit.form != "row":
            context = (
                f"{unit.heading}: {before}" if unit.leans and unit.block == block and before else unit.heading
            )
            found.append(Spot(page, unit.start, unit.end, unit.text, context, _label(unit.text)))
            header, block, before = [], unit.block, unit.text
            continue
        cells = _cells(markdown[unit.start : unit.end])
        is_header = bool(_TABLE_RULE.match(markdown, unit.end))
        if is_header or unit.block != block:
            header = cells if is_header else []
        found += _of_row(page, unit, cells, [] if is_header else header)
        block, before = unit.block, ""
    return found


def _of_row(page: StoredPage, unit: Unit, cells: Sequence[str], header: Sequence[str]) -> Iterator[Spot]:
    """The cells of a row, each with the heads of its row and column; a row of two cells is a label and its value."""
    if len(cells) < 2:
        yield Spot(page, unit.start, unit.end, unit.text, unit.heading)
        return
    for place, cell in enumerate(cells[1:], 1):
        if not cell:
            continue
        head = header[place] if place < len(header) else ""
        if len(cells) == 2 and any(char.isdigit() for char in head):
            head = ""  # the first pair of a list of pairs, which Markdown makes the header
        label = " ".join(part for part in (cells[0], head) if part)
        yield Spot(page, unit.start, unit.end, cell, unit.heading, label)
    if header and header[0]:  # the first cell may be a value itself: a date, a name
        yield Spot(page, unit.start, unit.end, cells[0], unit.heading, header[0])


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [plain(cell.replace("\\|", "|")) for cell in _CELL.split(inner)]


def _label(text: str) -> str:
    """The label of an item such as "Weight: 3 kg"; "" for a sentence."""
    label, mark, rest = text.partition(":")
    return label.strip() if mark and rest.strip() and len(label) <= 60 and len(label.split()) <= 7 else ""
