"""The command `research config`, which shows the settings and where they come from."""

import json

import click

from research_crawler.cli.session import echo, settings
from research_crawler.core.settings.origins import describe


@click.group()
def config() -> None:
    """Show the settings and where they come from."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(*, as_json: bool) -> None:
    """Show every setting, its value and its origin."""
    rows = describe(settings())
    if as_json:
        echo(json.dumps([{"name": n, "value": v, "origin": o} for n, v, o in rows], indent=2))
        return
    width = max(len(name) for name, _, _ in rows)
    for name, value, origin in rows:
        echo(f"{name:{width}}  {value or '-':30}  {origin}")
