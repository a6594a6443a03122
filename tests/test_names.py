"""A class name says one thing in the whole project."""

import ast
from collections import defaultdict

from tests.sources import PROJECT, modules, nodes


def class_names() -> dict[str, list[str]]:
    """Class → the modules that define one of this name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(path.relative_to(PROJECT)))
    return found


def test_every_class_has_a_name_of_its_own():
    twice = {name: places for name, places in class_names().items() if len(places) > 1}
    assert twice == {}
