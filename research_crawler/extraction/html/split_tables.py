"""Joins a table whose first column is a table of its own, so that it stands still while the others are scrolled.

Standings and comparisons are often built so: without the join, the places and figures would stand there without
their names.
"""

from collections.abc import Iterator
from itertools import pairwise

from lxml import etree

_ROWS, _CELLS = ("tr",), ("td", "th")
_LEAST_ROWS = 3
_ROW_COUNT = etree.XPath("count(descendant::tr)")
_HAS_TABLE = etree.XPath("boolean(descendant::table)")
_REACH = 4
"""How many elements above the two tables the element that holds both may be."""


def join_split_tables(root: etree._Element) -> None:
    """Move the cells of each table of one column to the beginning of the rows of the table directly beside it."""
    tables = [table for table in root.iter("table") if not _HAS_TABLE(table)]
    for names, values in pairwise(tables):
        if _ROW_COUNT(names) != _ROW_COUNT(values):
            continue
        own, other = _rows(names), _rows(values)
        if len(own) != len(other) or len(own) < _LEAST_ROWS:
            continue
        if all(len(cells) == 1 for cells in own) and min(map(len, other)) > 1 and _is_beside(names, values):
            for [name], cells in zip(own, other, strict=True):
                name.tail = None
                cells[0].addprevious(name)
            names.drop_tree()


def _rows(table: etree._Element) -> list[list[etree._Element]]:
    return [[child for child in row if child.tag in _CELLS] for row in table.iter(*_ROWS)]


def _is_beside(names: etree._Element, values: etree._Element) -> bool:
    """Whether nothing stands between two tables but elements that hold no text."""
    left, right = list(_up(names)), list(_up(values))
    for element in left:
        after = element.getnext()
        if after is not None:
            return after in right and all(
                not (node.tail or "").strip() for node in left[: left.index(element) + 1]
            )
    return False


def _up(element: etree._Element) -> Iterator[etree._Element]:
    yield element
    for steps, parent in enumerate(element.iterancestors()):
        if steps == _REACH:
            return
        yield parent
