"""Writes texts of others into cells of tables, so that a spreadsheet shows them and runs none of them."""

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


def guarded_cell(cell: str) -> str:
    """A cell that no program takes for a formula."""
    seen = "".join(islice((c for c in cell if c.isprintable() and not c.isspace()), 1))
    return f"'{cell}" if cell.startswith(_FORMULA) or seen.startswith(_FORMULA) else cell


def unguarded_cell(cell: str) -> str:
    """The text of a cell that `guarded_cell` made."""
    return cell[1:] if cell.startswith("'") else cell
