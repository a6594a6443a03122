"""No two files import each other, directly or by way of others, not even for types alone."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("research_crawler", "planner", "pipelines", "prompts")


def modules() -> dict[str, Path]:
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
    }


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of ours that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {part if part in known else node.module for part in parts}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & known.keys()


def test_no_imports_go_in_a_circle():
    known = modules()
    graph = {name: imported(path, known) - {name} for name, path in known.items()}
    assert len(graph) > 500
    TopologicalSorter(graph).prepare()  # a CycleError names the files of a circle
