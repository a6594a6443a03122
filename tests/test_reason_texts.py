"""Code decides by a reason's member. Its text is written for people, and nothing reads it back."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.sources import PROJECT, modules, nodes

REASONS = {"reason", "why", "blocker", "refusal"}
READING = {
    "startswith", "endswith", "split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix", "find",
    "index", "replace", "count", "match", "fullmatch", "search", "findall",
}  # fmt: skip
PARSERS = {"research_crawler/core/models/why.py"}
"""The stored form, and the reader of what earlier releases stored."""


def is_reason(node: ast.AST) -> bool:
    """Whether an expression is a reason or its text: `event.reason`, `why.text`, `str(error.reason)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str":
        return bool(node.args) and is_reason(node.args[0])
    if isinstance(node, ast.Attribute):
        return node.attr in REASONS or (node.attr == "text" and is_reason(node.value))
    return isinstance(node, ast.Name) and node.id in REASONS


def readings(code: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Where a text of a reason is taken apart, or looked into."""
    for node in code:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READING:
            places = [node.func.value, *node.args]
            only_white_space = node.func.attr == "split" and not node.args
            if any(map(is_reason, places)) and not only_white_space:
                yield node
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            if is_reason(node.comparators[0]):
                yield node
        elif (
            isinstance(node, ast.Compare)
            and is_reason(node.left)
            and getattr(node.left, "attr", "") == "text"
        ):
            yield node


def found(path: Path, kinds: Iterator[ast.AST]) -> list[str]:
    name = path.relative_to(PROJECT).as_posix()
    return [] if name in PARSERS else [f"{name}:{node.lineno}" for node in kinds]


def test_no_code_decides_by_the_words_of_a_reason():
    assert [place for path in modules() for place in found(path, readings(nodes(path)))] == []


def test_stored_reasons_are_read_where_json_is_read_and_nowhere_else():
    reading = (
        (path, (n for n in nodes(path) if isinstance(n, ast.Attribute) and n.attr == "from_stored"))
        for path in modules()
    )
    assert [place for path, places in reading for place in found(path, places)] == []


def test_the_search_for_such_code_finds_it():
    wrong = """
event.reason.text.startswith("http 5")
str(error.reason).split(":")
"captcha" in visit.reason.text
re.match("robots", why.text)
if vendor.reason.text == "timeout": pass
"""
    right = (
        'event.reason.kind is Reason.HTTP; " ".join(answer.reason.split()); kind in (Reason.DNS, Reason.TLS)'
    )
    assert len(list(readings(ast.walk(ast.parse(wrong))))) == 5
    assert list(readings(ast.walk(ast.parse(right)))) == []
