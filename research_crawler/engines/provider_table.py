"""The table of all search providers for the documentation, made from their declarations."""

from collections.abc import Iterable
from typing import Any

from research_crawler.core.settings.provider_settings import PACE
from research_crawler.engines.provider import Declaration
from research_crawler.engines.registry import declarations

HEAD = (
    "name",
    "needs",
    "other settings",
    "verticals",
    "delay, calls at once",
    "list price of a call",
    "on by default",
)


def provider_table() -> list[str]:
    """Lines of a Markdown table: a head, a rule, and one line per provider, in the default order."""
    return [
        _line(HEAD),
        "|---" * len(HEAD) + "|",
        *(_line(_cells(declaration)) for declaration in declarations().values()),
    ]


def _cells(declaration: Declaration[Any]) -> tuple[str, ...]:
    names = {
        field: variables[0]
        for field, variables in declaration.settings.environment_names(declaration.name).items()
    }
    needed = declaration.settings.needed()
    price, own = declaration.provider.usd_per_call, declaration.settings()
    return (
        f"`{declaration.name}`",
        _names(names[field] for field in needed),
        _names(name for field, name in names.items() if field not in {*needed, *PACE}),
        ", ".join(sorted(declaration.provider.verticals, key=("web", "news", "images").index)),
        f"{own.delay_seconds:g} s, {own.concurrency}",
        f"{price:g} USD" if price else "–",
        "yes" if declaration.default else "no",
    )


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
