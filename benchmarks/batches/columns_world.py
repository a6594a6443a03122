"""The web of the benchmark `columns`: invented things with planted values, decoys of the same type, and holes."""

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from planner.columns.column_input import given_columns
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.demo.content import Host, Page, World, load_world

HALVES: Final = ("open", "held")
_FILE: Final = Path(__file__).with_name("columns.toml")
_HOSTS: Final = (
    ("guide", "127.0.24.2", "The Coast Guide", "blog"),
    ("notes", "127.0.24.3", "Weekend Notes", "blog"),
    ("tables", "127.0.24.4", "Side by Side", "blog"),
)
_HOLE: Final = 0.2
"""Share of values that no page states."""
_SECOND: Final = 0.4
"""Share of values that a second host states too."""


@dataclass(frozen=True)
class Thing:
    """A thing that rows ask about, with what is true of it; a hole is None."""

    kind: str
    name: str
    half: str
    truth: dict[str, str | None]


@dataclass(frozen=True)
class ThingKind:
    """Things of one kind: their rows are one batch."""

    kind: str
    template: str
    columns: list[ColumnSpec]
    columns_text: str
    things: list[Thing] = field(default_factory=list)


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def thing_kinds() -> tuple[ThingKind, ...]:
    """All kinds with their things, the same in every run."""
    made = []
    for kind, table in _tables().items():
        text = "\n".join(table["columns"])
        columns = given_columns(text)
        things = [_thing(kind, table, name, n, columns) for n, name in enumerate(table["names"])]
        made.append(ThingKind(kind, table["template"], columns, text, things))
    return tuple(made)


def _thing(kind: str, table: dict[str, Any], name: str, n: int, columns: Sequence[ColumnSpec]) -> Thing:
    draw = random.Random(f"{kind} {name}")
    truth = {
        column.name: None
        if draw.random() < _HOLE
        else draw.choice(table["values"][column.name]).replace("{slug}", slug_of(name))
        for column in columns
    }
    # Neighbours differ: one of each pair that is alike in name is in each half.
    return Thing(kind, name, HALVES[n // 2 % 2], truth)


def slug_of(name: str) -> str:
    """A name as part of an address."""
    return "-".join(name.lower().split())


def columns_world() -> World:
    """The pages about all things, beside those of the demo web in the same search engine."""
    demo = load_world()
    hosts = {key: Host(key=key, ip=ip, name=name, layout=layout) for key, ip, name, layout in _HOSTS}
    plain = {
        reference: page.changed(listed=False) if demo.hosts[page.host].behaviour != "plain" else page
        for reference, page in demo.pages.items()
    }
    own = {f"{page.host}:{page.path}": page for page in thing_pages()}
    return World(hosts=demo.hosts | hosts, pages=plain | own)


def thing_pages() -> Iterator[Page]:
    """A main page and a second page for each thing, and for each kind tables that compare things."""
    for kind in thing_kinds():
        table = _tables()[kind.kind]
        for n, thing in enumerate(kind.things):
            other = kind.things[n ^ 1]
            yield _main_page(table, thing, other)
            yield _second_page(table, thing)
        yield _comparison(kind)


def _main_page(table: dict[str, Any], thing: Thing, neighbour: Thing) -> Page:
    draw = random.Random(f"main {thing.name}")
    half = HALVES.index(thing.half)
    paragraphs, items = [table["about"][0].format(name=thing.name)], list[str]()
    for column, value in thing.truth.items():
        line = draw.choice(table["decoys"][column]).replace("{n}", str(draw.randint(2, 8)))
        sentences = [line]
        if value is not None:
            said = _said(table, column, value, half, draw, thing.name)
            (items if _is_item(said) else sentences).append(said)
        draw.shuffle(sentences)
        paragraphs.append(" ".join(sentences))
    # What is true of the neighbour stands on this page too, in a sentence that names it.
    column = next(
        (
            name
            for name, value in neighbour.truth.items()
            if value and name in ("price", "subscription", "ticket")
        ),
        "",
    )
    if column:
        paragraphs.append(f"The {neighbour.name} is another matter: it costs {neighbour.truth[column]}.")
    body = "\n\n".join(paragraphs) + ("\n\n" + "\n".join(f"- {item}" for item in items) if items else "")
    return Page(
        host="guide",
        path=f"/{thing.kind}/{slug_of(thing.name)}",
        title=f"{thing.name}: the {table['kind']} in detail",
        date="2024-04-12",
        summary=f"All about the {thing.name}, {table['kind']}",
        tags=(thing.kind,),
        body=body,
    )


def _second_page(table: dict[str, Any], thing: Thing) -> Page:
    draw = random.Random(f"second {thing.name}")
    half = HALVES.index(thing.half)
    lines = [table["about"][1].format(name=thing.name)]
    for column, value in thing.truth.items():
        if value is not None and draw.random() < _SECOND:
            said = _said(table, column, value, half, draw, thing.name)
            lines.append(said if not _is_item(said) else f"{said}.")
        else:
            lines.append(draw.choice(table["decoys"][column]).replace("{n}", str(draw.randint(2, 8))))
    return Page(
        host="notes",
        path=f"/{thing.kind}/{slug_of(thing.name)}-visited",
        title=f"{thing.name}, looked at closely",
        date="2024-02-03",
        summary=f"A look at the {thing.name}, {table['kind']}",
        tags=(thing.kind,),
        body="\n\n".join(lines),
    )


def _comparison(kind: ThingKind) -> Page:
    """A table of all things with their first two columns; its holes are the things' holes."""
    names = [column.name for column in kind.columns[:2]]
    head = f"| Name | {' | '.join(name.replace('_', ' ').capitalize() for name in names)} |"
    rows = [
        f"| {thing.name} | {' | '.join(thing.truth[name] or '' for name in names)} |" for thing in kind.things
    ]
    return Page(
        host="tables",
        path=f"/{kind.kind}s",
        title=f"All {kind.kind}s side by side",
        date="2024-03-01",
        summary=f"A table of every {kind.kind}",
        tags=(kind.kind,),
        body="\n".join(
            [
                f"Every {kind.kind} that we know, in one table.",
                "",
                head,
                "|---" * (len(names) + 1) + "|",
                *rows,
            ]
        ),
    )


def _said(table: dict[str, Any], column: str, value: str, half: int, draw: random.Random, name: str) -> str:
    key = f"{column}_{value}" if value in ("yes", "no") else column
    return str(draw.choice(table["says"][key][half])).replace("{name}", name).replace("{v}", value)


def _is_item(text: str) -> bool:
    return not text.endswith((".", "?"))
