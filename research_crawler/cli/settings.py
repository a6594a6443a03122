"""`research config`: settings and where they come from."""

import json

import click

from research_crawler.cli.session import say, settings
from research_crawler.core.config_origins import describe


@click.group()
def config() -> None:
    """Settings and where they come from."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
def show(*, as_json: bool) -> None:
    """Show every setting, its value and its origin."""
    rows = describe(settings())
    if as_json:
        say(json.dumps([{"name": n, "value": v, "origin": o} for n, v, o in rows], indent=2))
        return
    width = max(len(name) for name, _, _ in rows)
    for name, value, origin in rows:
        say(f"{name:{width}}  {value or '-':30}  {origin}")
