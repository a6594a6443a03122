"""A class name says one thing in the whole project."""

import ast
from collections import defaultdict
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PACKAGES = ("research_crawler", "planner", "pipelines", "prompts")
NOT_YET_UNIQUE = {
    "Candidate",
    "Choice",
    "Layout",
    "Mark",
    "PageView",
    "Post",
    "Progress",
    "Question",
    "Reading",
    "Standing",
    "Requirement",
}
"""Temporary: names that are still taken twice. Nothing is added here; a name that has become unique is removed."""


def class_names() -> dict[str, list[str]]:
    """Public class → the modules that define one of this name."""
    found: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(str(path.relative_to(PROJECT)))
    return found


def test_the_public_classes_have_names_of_their_own():
    twice = {name: places for name, places in class_names().items() if len(places) > 1}
    assert {name: places for name, places in twice.items() if name not in NOT_YET_UNIQUE} == {}


def test_a_name_that_has_become_unique_is_no_longer_excepted():
    names = class_names()
    assert {name for name in NOT_YET_UNIQUE if len(names.get(name, ())) < 2} == set()
