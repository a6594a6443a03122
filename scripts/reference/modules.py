"""Makes the page of all modules: every file of every package, with the first sentence of its docstring."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby, takewhile
from pathlib import Path
from typing import Final

from scripts.reference.markdown import code, plain, table

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("planner", "prompts", "pipelines", "research_crawler")
LONGEST_CELL: Final = 120
INTRO: Final = """# Modules

Every module with the first sentence of its docstring. [Architecture](../architecture.md) says how they work together,
and which one to open for a change; [constants](constants.md) lists their limits. `python3 -m scripts.reference` writes
this page.
"""
SENTENCE: Final = re.compile(r"(?<=\.)\s+(?=[A-Z])|\n\n")


def modules_page() -> str:
    """A table for each package, in the order of the folders."""
    lines = [INTRO]
    for folder, paths in groupby(all_modules(), key=lambda path: path.parent):
        rows = [(code(path.relative_to(ROOT)), purpose(path)) for path in paths if path.name != "__init__.py"]
        rows += [
            (code(path.relative_to(ROOT)), _of_script(path)) for path in sorted(folder.glob("lua/*.lua"))
        ]
        if rows:
            lines += [f"## {code(folder.relative_to(ROOT))}", "", plain(purpose(folder / "__init__.py")), ""]
            lines += table(["module", "what it is for"], rows)
    return "\n".join(lines)


def all_modules() -> Iterator[Path]:
    """Every Python file of the project's packages, folder by folder; migrations are no modules to look for."""
    for package in PACKAGES:
        paths = (path for path in (ROOT / package).rglob("*.py") if "versions" not in path.parts)
        yield from sorted(paths, key=lambda path: (path.parent, path.name))


def _of_script(path: Path) -> str:
    """What a script of Redis does: the sentence that its head begins with."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comment = takewhile(lambda line: line.startswith("--"), lines)
    head = (line.removeprefix("-- ") for line in comment if not line.startswith("-- include: "))
    text = "\n".join(takewhile(lambda line: not line.startswith(("KEYS", "ARGV", "Returns")), head))
    return plain(cut(text))


@cache
def parsed(path: Path) -> ast.Module:
    """A module's syntax tree, made once a process: it takes seconds for all modules."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def purpose(path: Path) -> str:
    """The first sentence of a module's docstring, on one line and cut to a cell."""
    return cut(ast.get_docstring(parsed(path)) or "" if path.is_file() else "")


def cut(docstring: str) -> str:
    """The first sentence of a docstring, on one line and cut to a cell."""
    sentence = " ".join(SENTENCE.split(docstring.strip())[0].split())
    if len(sentence) > LONGEST_CELL:
        sentence = f"{sentence[: LONGEST_CELL - 2].rpartition(' ')[0].rstrip(',;')} …"
    return plain(sentence)
