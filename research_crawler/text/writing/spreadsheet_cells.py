"""Writes texts of others into cells of tables, so that a spreadsheet shows them and runs none of them."""

import re
from itertools import islice
from typing import Final

_FORMULA: Final = (
    "=",
    "+",
    "-",
    "@",
    "＝",
    "＋",
    "－",
    "＠",
    "﹦",
    "﹢",
    "﹣",
    "﹫",
    "−",
    "\t",
    "\r",
    "\n",
    "'",
    "＇",
)
"""A cell that starts with one of these, after any white space or invisible characters, gets an apostrophe before it: a
spreadsheet could take it for a formula. Full-width and small forms count, because some programs read them as the plain
ones."""


_BEGINNINGS: Final = ("\t", "\r", "\n")
"""What some programs drop before they look at the rest of a cell."""
_BORDERS: Final = re.compile(r"([;\t\r\n]+)")
"""What ends a cell in a program that takes another mark than the comma for the border of cells, as spreadsheets of
many countries do with the semicolon: quotes around `a;=b` do not hold it together there."""


def guarded_cell(cell: str) -> str:
    """A cell of which no program takes any part for a formula."""
    first, *rest = _BORDERS.split(cell)
    begun = f"'{first}" if cell.startswith(_BEGINNINGS) or _is_formula(cell) else first
    return begun + "".join(f"'{piece}" if _is_formula(piece) else piece for piece in rest)


def _is_formula(text: str) -> bool:
    if _BORDERS.fullmatch(text):
        return False
    seen = "".join(islice((c for c in text if c.isprintable() and not c.isspace()), 1))
    return text.startswith(_FORMULA) or seen.startswith(_FORMULA)
