"""Makes the page of all constants: every number and table of the code that has a name, with its docstring and file.

Scripts of Redis (Lua) and of the dashboard (JavaScript) say in a comment above or beside a constant what it is.
"""

import ast
import functools
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from scripts.reference.markdown import code, table
from scripts.reference.modules import LONGEST_CELL, PACKAGES, ROOT, all_modules, cut, parsed

SETTINGS: Final = ROOT / "research_crawler" / "core" / "settings" / "groups"
INTRO: Final = """# Constants

Every limit, threshold, weight, table, setting and default of the code, by folder, with the first sentence of its
docstring or comment; texts, patterns and tables without one show what they hold. Defaults of options, arguments of
tools and addresses, and what scripts of Redis and of the dashboard name, stand with their values. Search this page for
the words of what you want to change; what users set is explained in [settings](settings.md).
`python3 -m scripts.reference` writes this page.
"""


NO_CONSTANTS: Final = ("TypeVar", "Table", "MetaData", "Declaration")
"""What these make is no value to look up: type variables, tables of the archive, search providers."""
OPTIONS: Final = ("option", "click.option")
"""What declares an option of the command line."""
SCRIPTS: Final = {".lua": "--", ".js": "//"}
"""The files beside those in Python that name constants, and what their comments begin with."""
SCRIPT_CONSTANT: Final = re.compile(
    r"^(?:local|const) ([A-Z][A-Z_0-9]*\b[^;]*?= ?[^;]+?);?(?: *(?:--|//) (.+))?$"
)
"""A line of a script that names constants, and the comment beside them."""


class Constant(NamedTuple):
    """Names that are assigned together, and what the code says of them."""

    names: str
    docstring: str
    module: Path
    value: str = ""
    """What it holds, as the code writes it; empty for numbers, which say nothing alone."""


def constants_page() -> str:
    """A table for each folder, in the order of the modules."""
    lines = [INTRO]
    for folder, of_folder in groupby(all_constants(), key=lambda constant: constant.module.parent):
        rows = [(code(one.names), _words_of(one), code(one.module.relative_to(ROOT))) for one in of_folder]
        lines += [
            f"## {code(folder.relative_to(ROOT))}",
            "",
            *table(["constant", "what it is", "file"], rows),
        ]
    return "\n".join(lines)


@functools.cache
def all_constants() -> tuple[Constant, ...]:
    """Those of all modules and scripts, folder by folder."""
    scripts = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.suffix in SCRIPTS)
    paths = [*all_modules(), *(path for path in scripts if not path.name.endswith(".min.js"))]
    paths.sort(key=lambda path: (PACKAGES.index(path.relative_to(ROOT).parts[0]), path.parent, path.name))
    return tuple(
        constant
        for path in paths
        for constant in (constants_of(path) if path.suffix == ".py" else constants_of_script(path))
    )


def constants_of_script(script: Path) -> Iterator[Constant]:
    """What a script names in capitals, with its values; the comment above or beside it is its docstring."""
    mark, above = f"{SCRIPTS[script.suffix]} ", ""
    for line in script.read_text("utf-8").splitlines():
        found = SCRIPT_CONSTANT.match(line)
        if found and "KEYS[" not in line:
            names = found[1] if len(found[1]) <= LONGEST_CELL else found[1].partition(" =")[0]
            yield Constant(names, found[2] or above, script)
        is_head = line.startswith(f"{mark}include: ")
        above = f"{above} {line.removeprefix(mark)}".strip() if line.startswith(mark) and not is_head else ""


def constants_of(module: Path) -> Iterator[Constant]:
    """What a module names in capitals, the fields and defaults that are limits, and settings."""
    tree = parsed(module)
    yield from _assigned(tree.body, module)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in OPTIONS:
            yield from _option(node, module)
        if isinstance(node, ast.ClassDef):
            yield from _fields(node, module)
        for made in ast.iter_child_nodes(node):
            if isinstance(made, ast.FunctionDef | ast.AsyncFunctionDef):
                maker = node if isinstance(node, ast.ClassDef) and made.name == "__init__" else made
                yield from _defaults(made, maker, module)


def _assigned(body: Sequence[ast.stmt], module: Path) -> Iterator[Constant]:
    for statement, after in zip(body, [*body[1:], None], strict=True):
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        names = [name.id for name in targets if isinstance(name, ast.Name) and name.id.strip("_").isupper()]
        docstring = _docstring(after)
        is_public = any(not name.startswith("_") for name in names)
        is_counted = is_number(statement.value)
        if (
            names
            and (docstring or is_public or is_counted)
            and not _is_made_by(statement.value, NO_CONSTANTS)
        ):
            value = "" if is_counted else ast.unparse(statement.value)
            yield Constant(", ".join(names), docstring, module, value)


def _is_made_by(value: ast.expr, names: Sequence[str]) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in names


def _fields(node: ast.ClassDef, module: Path) -> Iterator[Constant]:
    """The fields of a class whose default is a limit, and every setting."""
    is_setting = SETTINGS in module.parents
    for statement, after in zip(node.body, [*node.body[1:], None], strict=True):
        match statement:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as default) if (
                is_setting or is_limit(default) or (is_text(default) and _docstring(after))
            ):
                docstring = _docstring(after) or ast.get_docstring(node) or ""
                value = first_argument(default) if is_setting else default
                is_shown = is_text(value) or (is_setting and is_told(value))
                told = f" = {ast.unparse(value)}" if is_shown else ""
                yield Constant(f"{node.name}.{name}{told}", docstring, module)


def _option(call: ast.Call, module: Path) -> Iterator[Constant]:
    """An option of the command line that has a default, with its help."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    match call.args, given.get("default"):
        case [ast.Constant(value=str() as flag), *_], ast.expr() as default if is_told(default):
            about = given.get("help")
            words = about.value if isinstance(about, ast.Constant) else ast.unparse(about) if about else ""
            yield Constant(f"{flag} = {ast.unparse(default)}", str(words), module)


def is_told(default: ast.expr) -> bool:
    """Whether a default says anything: not an empty text, no, or nothing."""
    return ast.unparse(default).isupper() or (isinstance(default, ast.Constant) and bool(default.value))


def _defaults(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    maker: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    module: Path,
) -> Iterator[Constant]:
    """The parameters of a function whose default is a limit; those of `__init__` are its class's."""
    positional = [*node.args.posonlyargs, *node.args.args]
    pairs = [
        *zip(reversed(positional), reversed(node.args.defaults), strict=False),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    given = [(name, default) for name, default in pairs if default is not None]
    for name, default in given:
        if (about := _description(name.annotation)) and is_told(default):
            yield Constant(f"{node.name}({name.arg} = {ast.unparse(default)})", about, module)
    names = [name.arg for name, default in given if is_limit(default) and not _description(name.annotation)]
    if names:
        docstring = ast.get_docstring(node) or ast.get_docstring(maker) or ""
        yield Constant(f"{maker.name}({', '.join(names)})", docstring, module)


def _description(annotation: ast.expr | None) -> str:
    """What `Annotated[…, Field(description="…")]` says of an argument of a tool or an address."""
    for node in ast.walk(annotation) if annotation else ():
        match node:
            case ast.keyword(arg="description", value=ast.Constant(value=str() as text)):
                return text
    return ""


def first_argument(default: ast.expr) -> ast.expr:
    """The default that `Field(10)` or a helper like it gives, else the default itself."""
    return default.args[0] if isinstance(default, ast.Call) and default.args else default


def is_limit(default: ast.expr) -> bool:
    """Whether a default, or that of a pydantic field, is a number that somebody has chosen: not 0, 1 or -1."""
    default = first_argument(default)
    return is_number(default) and ast.unparse(default) not in ("0", "1", "-1", "0.0", "1.0")


def is_text(default: ast.expr) -> bool:
    """Whether a default is one word or text, and not an empty one."""
    return isinstance(default, ast.Constant) and isinstance(default.value, str) and bool(default.value)


def is_number(value: ast.expr) -> bool:
    """Whether an expression is a number, a calculation with numbers, or several of them."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float) and not isinstance(number, bool)
        case ast.Dict(values=parts):
            return bool(parts) and all(map(is_number, parts))
        case ast.BinOp(left=left, right=right):
            return is_number(left) or is_number(right)
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
        case ast.Tuple(elts=parts):
            return bool(parts) and all(map(is_number, parts))
        case _:
            return False


def _words_of(constant: Constant) -> str:
    if constant.docstring or len(constant.value) <= LONGEST_CELL:
        return cut(constant.docstring) or code(constant.value)
    return code(f"{constant.value[: LONGEST_CELL - 2]} …")


def _docstring(statement: ast.stmt | None) -> str:
    match statement:
        case ast.Expr(value=ast.Constant(value=str() as text)):
            return text
        case _:
            return ""
