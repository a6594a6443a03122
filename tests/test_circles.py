"""No two files import each other, directly or by way of others, not even for types alone."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from tests.sources import PROJECT, modules, nodes


def by_name() -> dict[str, Path]:
    return {
        ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in modules()
    }


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of ours that a file imports, wherever in it."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {part if part in known else node.module for part in parts}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & known.keys()


def test_no_imports_go_in_a_circle():
    known = by_name()
    graph = {name: imported(path, known) - {name} for name, path in known.items()}
    assert len(graph) > 500
    TopologicalSorter(graph).prepare()  # a CycleError names the files of a circle
