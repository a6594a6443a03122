"""Makes the page of all constants: every number and table of the code that has a name, with its docstring and file."""

import ast
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from scripts.reference.markdown import code, table
from scripts.reference.modules import ROOT, all_modules, cut, purpose

INTRO: Final = """# Constants

Every limit, threshold, weight and table of the code that is no setting, by folder, with the first sentence of its
docstring; in brackets, where it has none, what its file is for. Search this page for the words of what you want to
change. [Settings](settings.md) have a page of their own. `python3 -m scripts.reference` writes this one.
"""


class Constant(NamedTuple):
    """Names that are assigned together, and what the code says of them."""

    names: str
    docstring: str
    module: Path


def constants_page() -> str:
    """A table for each folder, in the order of the modules."""
    found = (constant for path in all_modules() for constant in constants_of(path))
    lines = [INTRO]
    for folder, of_folder in groupby(found, key=lambda constant: constant.module.parent):
        rows = [(code(one.names), _words_of(one), code(one.module.relative_to(ROOT))) for one in of_folder]
        lines += [
            f"## {code(folder.relative_to(ROOT))}",
            "",
            *table(["constant", "what it is", "file"], rows),
        ]
    return "\n".join(lines)


def constants_of(module: Path) -> Iterator[Constant]:
    """The numbers of a module that have a name, and what else has one and a docstring."""
    body = ast.parse(module.read_text("utf-8")).body
    for statement, after in zip(body, [*body[1:], None], strict=True):
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        names = [name.id for name in targets if isinstance(name, ast.Name) and name.id.strip("_").isupper()]
        docstring = _docstring(after)
        if names and (docstring or is_number(statement.value)):
            yield Constant(", ".join(names), docstring, module)


def is_number(value: ast.expr) -> bool:
    """Whether an expression is a number, a calculation with numbers, or several of them."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float) and not isinstance(number, bool)
        case ast.BinOp(left=left, right=right):
            return is_number(left) or is_number(right)
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
        case ast.Tuple(elts=parts):
            return bool(parts) and all(map(is_number, parts))
        case _:
            return False


def _words_of(constant: Constant) -> str:
    return cut(constant.docstring) or f"({purpose(constant.module)})"


def _docstring(statement: ast.stmt | None) -> str:
    match statement:
        case ast.Expr(value=ast.Constant(value=str() as text)):
            return text
        case _:
            return ""
