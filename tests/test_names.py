"""A class name says one thing in the whole project."""

import ast
from collections import defaultdict
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PACKAGES = ("research_crawler", "planner", "pipelines", "prompts")


def class_names() -> dict[str, list[str]]:
    """Class → the modules that define one of this name."""
    found: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(str(path.relative_to(PROJECT)))
    return found


def test_every_class_has_a_name_of_its_own():
    twice = {name: places for name, places in class_names().items() if len(places) > 1}
    assert twice == {}
