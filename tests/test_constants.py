import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from planner.brains.model.model_brain_settings import SMALL_PAGE_TOKENS
from research_crawler.adapters.models.local_model import PAGE_TOKENS
from research_crawler.adapters.sql.stores.deliveries import GIVEN_UP_MS
from research_crawler.background.notice_delivery import FAILED_DAYS, FAILED_MS
from research_crawler.core.config import Config
from research_crawler.extraction.process.pool import MEMORY_MB
from scripts.reference.modules import parsed
from tests.sources import PROJECT, modules

PROVIDERS = PROJECT / "research_crawler" / "engines"
"""Each search provider says the same things of itself (its address, its limits), under the same names."""
TWO_MEANINGS = {
    "FAILED": "exit code of the command line, and first word of a crawler's reason",
}
"""Names that may have several values, with the reason."""


def constants(module: Path) -> Iterator[tuple[str, str]]:
    """(name, value as written) of the constants that a module defines."""
    for statement in parsed(module).body:
        if isinstance(statement, ast.AnnAssign) and statement.value:
            targets = [statement.target]
        else:
            targets = statement.targets if isinstance(statement, ast.Assign) else []
        for target in targets:
            yield from named(target, statement.value)


def named(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its in zip(target.elts, value.elts, strict=True):
            yield from named(one, its)
    elif isinstance(target, ast.Name) and target.id.isupper() and not target.id.startswith("_"):
        yield target.id, ast.unparse(value)


@pytest.fixture(scope="module")
def values() -> dict[str, dict[str, list[str]]]:
    """{name: {value: modules}}"""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for module in modules():
        if not module.is_relative_to(PROVIDERS):
            for name, value in constants(module):
                found[name][value].append(str(module.relative_to(PROJECT)))
    return found


def test_a_public_constant_has_one_value(values):
    clashes = {name: dict(of) for name, of in values.items() if len(of) > 1 and name not in TWO_MEANINGS}
    assert clashes == {}


def test_a_public_constant_has_one_home(values):
    homes = {name: where for name, of in values.items() for where in of.values() if len(where) > 1}
    assert {name: where for name, where in homes.items() if not is_type_variable(name)} == {}


@pytest.mark.parametrize(
    ("rule", "told_again"),
    [
        (Config.model_fields["parse_memory_mb"].default, MEMORY_MB),
        (FAILED_DAYS * FAILED_MS, GIVEN_UP_MS),
        (SMALL_PAGE_TOKENS, PAGE_TOKENS),
    ],
)
def test_a_rule_that_two_layers_tell_has_one_value(rule, told_again):
    assert rule == told_again


def is_type_variable(name: str) -> bool:
    return len(name) == 1
