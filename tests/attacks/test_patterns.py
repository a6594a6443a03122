"""Every regular expression of the project takes time in proportion to the text, whatever the text is."""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from tests.attacks.pumping import Use, fullmatch, match, search, slow_string
from tests.cases import each_case
from tests.sources import PACKAGES, PROJECT, modules, nodes

NOT_RUN = {"research_crawler.cli.__main__", "research_crawler.demo.__main__"}
_DEEP = 3


def imported_modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        base = importlib.import_module(package)
        yield base
        for found in pkgutil.walk_packages(base.__path__, f"{package}."):
            if found.name not in NOT_RUN and ".migrations." not in found.name:
                yield importlib.import_module(found.name)


def patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The patterns in a value, in what it contains, and in the attributes of a class."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < _DEEP and isinstance(value, dict):
        for inner in (*value, *value.values()):
            yield from patterns_in(inner, depth + 1)
    elif depth < _DEEP and isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from patterns_in(inner, depth + 1)
    elif depth < _DEEP and hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        for name in value.__dataclass_fields__:
            yield from patterns_in(getattr(value, name, None), depth + 1)
    elif isinstance(value, type) and value.__module__.partition(".")[0] in PACKAGES and depth < _DEEP:
        for inner in tuple(vars(value).values()):  # a model may be built meanwhile
            yield from patterns_in(inner, depth + 1)


@cache
def patterns() -> dict[re.Pattern[Any], list[str]]:
    """Every pattern with the names of the modules' attributes that have it."""
    found: dict[re.Pattern[Any], list[str]] = defaultdict(list)
    for module in imported_modules():
        for name, value in vars(module).items():
            if not isinstance(value, ModuleType):
                for pattern in patterns_in(value):
                    found[pattern].append(f"{module.__name__}.{name}")
    return dict(found)


@cache
def uses() -> dict[str, set[str]]:
    """{a constant: the methods that are called on it, "?" where it is passed on}.

    A private constant is known by its module and name, since another module may have one of the same name.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for path in modules():
        module = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
        called = set()
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found[place_of(module, node.value.id)].add(node.attr)
                called.add(id(node.value))
        for node in nodes(path):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called:
                found[place_of(module, node.id)].add("?")
    return found


def place_of(module: str, name: str) -> str:
    return f"{module}.{name}" if name.startswith("_") else name


def use_of(names: list[str]) -> Use:
    """How a pattern is used at its most expensive."""
    methods = set().union(*(uses()[place_of(*name.rsplit(".", 1))] for name in names))
    if methods == {"fullmatch"}:
        return fullmatch
    return match if methods <= {"match", "fullmatch"} else search


def written_in_functions() -> dict[re.Pattern[Any], tuple[str, Use]]:
    """The patterns that stand in a call such as `re.sub(r"...", ...)`: where they are, and their use."""
    found: dict[re.Pattern[Any], tuple[str, Use]] = {}
    for path, call in calls_of_re():
        if isinstance(source := call.args[0], ast.Constant):
            names = {
                part.attr
                for given in [*call.args[1:], *call.keywords]
                for part in ast.walk(given)
                if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "re"
            }
            flags = sum(getattr(re, name) for name in names if name.isupper())
            use = USES.get(call.func.attr, search)
            found[re.compile(source.value, flags)] = (f"{path}:{call.lineno}", use)
    return found


def calls_of_re() -> Iterator[tuple[str, ast.Call]]:
    """The calls of a function of `re` that takes a pattern, within functions."""
    for path in modules():
        if "import re\n" not in path.read_text("utf-8"):
            continue
        functions = [node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        inner = {id(node): node for function in functions for node in ast.walk(function)}
        for node in inner.values():
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr != "escape"
            ):
                yield str(path.relative_to(PROJECT)), node


USES = {"match": match, "fullmatch": fullmatch}
BUILT = {
    "research_crawler/core/vendors.py": r"(?<![\w@])two words(?!\w)",
    "research_crawler/demo/demo_questions.py": r"(?<!\d)\d+ words",
    "research_crawler/engines/provider.py": r"(?<=[?&]api_key=)[^&#]*",
    "research_crawler/extraction/blockers/wall_words.py": "",
    "planner/goal/requirements.py": r"(?<![a-z0-9])rtx(\d{2,})(?!\w)",
    "planner/job/earlier/prior_intelligence.py": r"(?m)^#{1,3}\s",
    "research_crawler/adapters/user_settings.py": r"(?mi)^[ \t]*+\"?mind_model\"?[ \t]*+=.*$",
    "planner/columns/value_places.py": "",
    "planner/reports/checks/completed_quotes.py": r"(?<![^\s`])two\s+words(?![^\s`])",
    "planner/verify/vetoes.py": r"(?<![\w.,])52k\b",
    "planner/outline/parts.py": r",?(?<!\s)\s++(?:and|but)\s++|;\s*+",
    "research_crawler/text/offers/purchase.py": "",
    "research_crawler/text/offers/shopping.py": "",
    "research_crawler/text/languages/statements.py": "",
    "research_crawler/interfaces/dashboard/page_words.py": r"are\ (?P<share>\d++%)\ to\ the\ point",
    "research_crawler/text/source_types.py": r"(?:^|\.)name\.(?:co\.|com\.)?[a-z]{2,3}$",
}
"""Files with a function that builds a pattern around words, and such a pattern; "" if a constant holds the result."""


@pytest.mark.long
@pytest.mark.parametrize("package", PACKAGES)
def test_every_pattern_takes_time_in_proportion_to_the_text(package):
    assert slow_patterns(package, rounds=2) == {}


def slow_patterns(package: str, *, rounds: int) -> dict[str, str]:
    slow = {}
    for pattern, names in patterns().items():
        if names[0].startswith(package) and (attack := slow_string(pattern, use_of(names), rounds=rounds)):
            slow[names[0]] = attack
    return slow


@pytest.mark.long
def test_patterns_written_inside_functions_take_time_in_proportion_to_the_text():
    found = written_in_functions()
    slow = {place: slow_string(pattern, use) for pattern, (place, use) in found.items()}
    assert {place: attack for place, attack in slow.items() if attack} == {}


def test_patterns_are_constants_unless_they_are_built_around_words_that_are_known_late():
    built = {path for path, call in calls_of_re() if not isinstance(call.args[0], ast.Constant)}
    assert built == set(BUILT)
    samples = {path: slow_string(re.compile(source), search) for path, source in BUILT.items() if source}
    assert {path: attack for path, attack in samples.items() if attack} == {}


KNOWN_SLOW = (
    r"[.!?…]+[\"'”’»)\]*_]*(?=\s+[\"'“‘«„(\[*_¿¡-]*[^\W_])",
    r"\s*(?:<!--.*?-->\s*|<\?[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*<(?:rss|feed|rdf:RDF)\b",
    r"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]+?)\s*(?:\]\]>)?\s*</(?:\w+:)?loc>",
    r"[\d_-]+\w*$|\d+",
    r"!\[([^\]]*)\]\([^)]*\)",
    r"\b(?:[a-z0-9-]+\.)+(?:com|net|org)\b",
    r"(x+x+)+y",
)


@pytest.mark.long
@pytest.mark.parametrize("source", KNOWN_SLOW)
def test_the_attack_finds_patterns_that_are_slow(source):
    assert slow_string(re.compile(source), search)


@each_case("source", [r"(?<!\s)\s++\|", r"<[^<>]*>", r"\w+", r"\bword\b.{0,60}\bother\b"])
def test_the_attack_leaves_patterns_alone_that_are_linear(source):
    assert slow_string(re.compile(source), search) is None
