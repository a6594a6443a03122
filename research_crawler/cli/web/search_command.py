"""The command `research search`, which sends one query to the search providers."""

from typing import TYPE_CHECKING, Literal

import click
from click.core import ParameterSource

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.hints import error_text
from research_crawler.cli.options.option_values import WholeNumber
from research_crawler.cli.session import echo, echo_err, echo_json, fail, run_session, settings
from research_crawler.cli.views.printed_reports import printable
from research_crawler.core.errors import ConfigError
from research_crawler.core.models.messages.commands import SearchSpec, Vertical
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.web.target import NO_SLOT
from research_crawler.engines.provider_queries import PERIOD
from research_crawler.engines.registry import switched_off

if TYPE_CHECKING:
    from research_crawler.frontier.command_locations import CommandLocation

SafeSearch = Literal["off", "moderate", "strict"]
_SNIPPET_CHARS = 160
"""Longest snippet that `research search` prints."""


@click.command()
@click.argument("query")
@click.option(
    "--provider", "providers", multiple=True, metavar="NAME", help="Ask only this provider; may be repeated."
)
@click.option(
    "--vertical",
    default="web",
    type=click.Choice(["web", "news", "images"]),
    help="Kind of results. Default: web.",
)
@click.option("--max-results", default=10, type=WholeNumber(1, 50), help="Most results. Default: 10.")
@click.option("--lang", "language", default="en", metavar="CODE", help="Language of results. Default: en.")
@click.option(
    "--date-restrict",
    default="",
    metavar="PERIOD",
    help="Only results from the last days, weeks, months or years, e.g. d7, w2, m6 or y1. Default: any date.",
)
@click.option(
    "--safe-search",
    default="moderate",
    type=click.Choice(["off", "moderate", "strict"]),
    help="Filter for adult content. Default: moderate.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
def search(
    query: str,
    *,
    providers: tuple[str, ...],
    vertical: Vertical,
    max_results: int,
    language: str,
    date_restrict: str,
    safe_search: SafeSearch,
    as_json: bool,
) -> None:
    """Search for QUERY with all providers that are switched on, and print one merged list.

    A provider that is busy with the searches of jobs is waited for: SEARXNG_CONCURRENCY and SEARXNG_DELAY_SECONDS, and
    the same of each provider, say how often it may be asked.
    """
    if not query.strip():
        raise click.UsageError("the query is empty", click.get_current_context())
    if date_restrict and not PERIOD.fullmatch(date_restrict):
        message = f"--date-restrict takes a period such as d7, w2, m6 or y1, not {date_restrict!r}"
        raise click.UsageError(message, click.get_current_context())
    config = settings(providers=list(providers) or None)
    try:
        without_settings = switched_off(config) if providers else []
    except ConfigError as error:
        fail(error_text(error), code=BAD_USAGE)
    for name, needed in without_settings:
        echo_err(f"{name} is off: set {needed}")
    spec = SearchSpec(
        query=query,
        providers=[name.lower() for name in providers],
        vertical=vertical,
        max_results=max_results,
        language=language,
        date_restrict=date_restrict,
        safe_search=safe_search,
    )

    user_options = _options_of_user(click.get_current_context())

    async def work() -> int:
        from research_crawler.runtime.runtime import running
        from research_crawler.services.fetch_once import search_one

        async with running(config, crawl="search", plan=False) as runtime:
            event = await search_one(runtime, spec, on_wait=say_wait)
        cut = event.changed(results=event.results[:max_results])
        _print(cut, user_options, as_json=as_json)
        return 0 if event.results else FAILED

    run_session(config, work)


def say_wait(location: "CommandLocation") -> None:
    """Say on stderr what a search waits for."""
    where = location.provider or (location.slot if location.slot != NO_SLOT else "a crawler")
    is_closed = location.free_in_ms > 1000 and not location.is_full  # else a call under way ends earlier
    rest = f", which is closed for {location.free_in_ms / 1000:.0f} s" if is_closed else ""
    echo_err(f"waiting for {where}{rest}; {location.before} before it")


def _options_of_user(context: click.Context) -> set[str]:
    """The options that the user gave. Only for these does the output say that a provider ignores them."""
    return {
        name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def _print(event: CommandDone, user_options: set[str], *, as_json: bool) -> None:
    if as_json:
        echo_json(
            event.model_dump_json(include={"query", "outcome", "reason", "results", "providers"}, indent=2)
        )
        return
    for result in event.results:
        shown = result.image or printable(result.snippet)[:_SNIPPET_CHARS]
        echo(f"{result.rank:>2}. {printable(result.title)}\n    {result.url}\n    {shown}")
    for report in event.providers:
        if not report.ok:
            echo_err(f"{report.provider}: {printable(report.reason.text)}")
        if ignored := [option for option in report.ignored if option.split()[0] in user_options]:
            echo_err(f"{report.provider} ignores {', '.join(ignored)}")
    if not event.results:
        has_failed = any(not report.ok for report in event.providers)
        echo_err(
            "no results" if has_failed else f"no results; {printable(event.reason.text) or 'try other words'}"
        )
