"""Says which tables hold data, and keeps the columns of their rows. All other tables only arrange a page."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

ROWS = frozenset({"tr", "row"})
CELLS = frozenset({"td", "th", "cell"})
_DECLARED = ("th", "thead", "caption", "colgroup", "col", "tfoot")
"""Elements that pages use in tables of data alone (the rule of Firefox and of its reader view)."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "head")
_SECTIONS = ("p", "ul", "ol", "dl", "blockquote", "quote")
_PROSE_CHARS = 300
"""A cell with more text belongs to a table of data only if the table has headers or such cells are few."""
_MOST_SECTIONS_SHARE = 0.5
"""With a larger share of its text in sections or in long cells, a table holds a layout and no data."""
_ROW_CHARS = 80
"""A table of one row with a longer cell arranges a page, if nothing declares it to be data."""
_MOST_SPAN, _MOST_COLUMNS = 50, 200
"""Most columns that a cell spans, and that a row has."""
_REPEATED_CHARS = 80
"""A longer cell that spans several rows is not repeated in each."""
_PICTURE_CHARS = 40
"""A longer description of a picture does not stand for it in a cell."""
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
_HAS_TABLE = etree.XPath("boolean(descendant::table)")


@dataclass(slots=True)
class RepeatLimit:
    """How many characters of cells that span several rows may still be written again on a page.

    A hostile page could otherwise multiply its text with one attribute.
    """

    chars: int = 50_000

    def take(self, text: str) -> str:
        """The text, if it may be repeated; otherwise nothing."""
        if len(text) > min(_REPEATED_CHARS, self.chars):
            return ""
        self.chars -= len(text)
        return text


@dataclass(slots=True)
class _Cell:
    columns: int = 1
    rows: int = 1
    text: str = ""


@dataclass(slots=True)
class DataTable:
    """The columns of a table while its rows are read."""

    element: etree._Element
    repeats: RepeatLimit
    row: list[_Cell] | None = None
    spanning: dict[int, _Cell] = field(default_factory=dict)
    """By column: the cells of earlier rows that reach into the next row."""
    begun: bool = False
    """Whether a row with several cells has been read."""

    @property
    def in_row(self) -> bool:
        """Whether text that is read now belongs to a row."""
        return self.row is not None

    def start_row(self) -> None:
        """Begin a row."""
        self.row = []

    def start_cell(self, element: etree._Element) -> None:
        """Begin a cell of the current row."""
        if self.row is not None:
            self.row.append(_Cell(_span(element, "colspan"), _span(element, "rowspan")))

    def add(self, text: str) -> None:
        """Add a text to the current cell."""
        if self.row is not None:
            if not self.row:
                self.row.append(_Cell())
            cell = self.row[-1]
            cell.text = f"{cell.text} {text}".strip().replace("\n", " ")

    def end_cell(self, element: etree._Element) -> None:
        """End a cell. A cell without a text says what its picture says: a tick, a flag."""
        if self.row and not self.row[-1].text:
            self.row[-1].text = _picture_text(element)

    def end_row(self) -> tuple[str, ...]:
        """The texts of the row by column.

        A cell that spans rows is repeated in each, so that every row says everything. A cell that spans columns
        stands in the first of them. A row above all others that has one wide cell is a title, and stands alone.
        """
        row, self.row = self.row or [], None
        if not self.begun and _is_title(row):
            return (row[0].text,)
        self.begun = True
        return self._by_column(row)

    def _by_column(self, row: Sequence[_Cell]) -> tuple[str, ...]:
        """The texts by column: what reaches into it from an earlier row, else the next cell of this row."""
        waiting, texts, following = deque(row), list[str](), dict[int, _Cell]()
        has_text = any(cell.text for cell in row)
        last_reached = max(self.spanning, default=-1)
        while waiting or len(texts) <= last_reached:
            above = self.spanning.get(len(texts))
            if above is not None:
                cell, shown = above, self.repeats.take(above.text) if has_text else ""
            else:
                cell = waiting.popleft() if waiting else _Cell()
                shown = cell.text
            width = cell.columns if len(texts) + cell.columns <= _MOST_COLUMNS else 1
            if cell.rows > 1:
                for column, text in enumerate(_in_first(cell.text, width), len(texts)):
                    following[column] = _Cell(rows=cell.rows - 1, text=text)
            texts += _in_first(shown, width)
        self.spanning = {column: cell for column, cell in following.items() if column < _MOST_COLUMNS}
        return tuple(texts if len(texts) > 1 else [*texts, ""])


def _in_first(text: str, width: int) -> list[str]:
    """The texts of so many columns that one cell spans."""
    return [text, *[""] * (width - 1)]


def _is_title(row: Sequence[_Cell]) -> bool:
    if not row or any(cell.text for cell in row[1:]):
        return False
    return len(row) == 1 or row[0].columns > 1


def holds_data(table: etree._Element) -> bool:
    """Whether a table holds data, so that its rows are read as rows. The whole table is judged, not each row.

    Some pages arrange themselves with tables, whose cells hold whole sections, posts or further tables.
    """
    if table.get("role") in ("presentation", "none") or _HAS_TABLE(table):
        return False
    rows = [[child for child in row if child.tag in CELLS] for row in table.iter(*ROWS)]
    sizes = [[int(_TEXT_LENGTH(cell)) for cell in row] for row in rows]
    filled = sum(sum(map(bool, row)) > 1 for row in sizes)
    if not filled:
        return False
    chars = sum(map(sum, sizes))
    longest = max(map(max, filter(None, sizes)))
    sections = sum(
        size
        for row, row_sizes in zip(rows, sizes, strict=True)
        for cell, size in zip(row, row_sizes, strict=True)
        if _holds_section(cell, size)
    )
    if sections > _MOST_SECTIONS_SHARE * chars:
        return False
    declares = next(table.iter(*_DECLARED), None) is not None or table.get("role") in ("table", "grid")
    if declares:
        return True
    long = sum(size for row in sizes for size in row if size > _PROSE_CHARS)
    return long <= _MOST_SECTIONS_SHARE * chars and (len(rows) > 1 or longest <= _ROW_CHARS)


def _holds_section(cell: etree._Element, size: int) -> bool:
    """Whether a cell holds a part of a page rather than a value."""
    code = next(cell.iter("pre"), None)
    if code is not None and "\n" in "".join(code.itertext()).strip():
        return True
    heading = next(cell.iter(*_HEADINGS), None)
    if heading is not None and size > int(_TEXT_LENGTH(heading)):
        return True
    return size > _PROSE_CHARS and len(list(islice(cell.iter(*_SECTIONS), 3))) == 3


def _span(cell: etree._Element, name: str) -> int:
    value = (cell.get(name) or "").strip()[:6]
    return max(1, min(_MOST_SPAN if name == "colspan" else 65_534, int(value))) if value.isdecimal() else 1


def _picture_text(cell: etree._Element) -> str:
    if next(cell.iter("a", "ref"), None) is not None:  # a picture that leads to something shows it again
        return ""
    for part in cell.iter("img", "svg", "i", "span", "graphic"):
        text = " ".join((part.get("alt") or part.get("aria-label") or part.get("title") or "").split())
        if text:
            return text if len(text) <= _PICTURE_CHARS else ""
    return ""
