"""The table of all search providers for the documentation, from what their files declare."""

from collections.abc import Iterable
from typing import Any

from research_crawler.engines.base import Declaration
from research_crawler.engines.registry import declarations

HEAD = ("name", "needs", "other settings", "verticals", "list price of a call", "on by itself")


def provider_table() -> list[str]:
    """Lines of a Markdown table: a head, a rule, and one line for each provider in the default order."""
    return [_line(HEAD), "|---" * len(HEAD) + "|", *(_line(_cells(one)) for one in declarations().values())]


def _cells(one: Declaration[Any]) -> tuple[str, ...]:
    names = {field: known[0] for field, known in one.settings.environment_names(one.name).items()}
    needed = one.settings.needed()
    price = one.provider.usd_per_call
    return (
        f"`{one.name}`",
        _names(names[field] for field in needed),
        _names(name for field, name in names.items() if field not in needed),
        ", ".join(sorted(one.provider.verticals, key=("web", "news", "images").index)),
        f"{price:g} USD" if price else "–",
        "yes" if one.default else "no",
    )


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
