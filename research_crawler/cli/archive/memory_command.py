"""The command `research memory`: search what all jobs have found, and make the vector index anew."""

from datetime import datetime
from typing import TYPE_CHECKING, cast, get_args

import click

from research_crawler.cli.exit_codes import BAD_USAGE, FAILED
from research_crawler.cli.hints import error_text
from research_crawler.cli.options.option_values import Day, WholeNumber
from research_crawler.cli.session import echo, echo_err, echo_json, fail, run_session, settings
from research_crawler.core.errors import UsageError
from research_crawler.core.models.archive.memory import MAX_HITS, FindingFilter
from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.core.text.counting import count

if TYPE_CHECKING:
    from research_crawler.core.models.archive.memory import MemoryAnswer

_QUOTE_CHARS = 300
"""Longest quote that the search of the memory prints."""


@click.group()
def memory() -> None:
    """Search what all jobs have found, or make its vector index anew."""


@memory.command("search")
@click.argument("query")
@click.option("--since", type=Day(), metavar="DAY",
              help="Only findings of pages that were read on this day (UTC, YYYY-MM-DD) or later.")  # fmt: skip
@click.option("--host", default="", metavar="HOST", help="Only findings of this host and its subdomains.")
@click.option("--kind", type=click.Choice(get_args(FindingKind)), help="Only findings of this kind.")
@click.option("--job", default="", metavar="JOB", help="Only findings of this job.")
@click.option("--limit", default=10, type=WholeNumber(1, MAX_HITS), help="Most findings. Default: 10.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def search_command(
    query: str, *, since: datetime | None, host: str, kind: str | None, job: str, limit: int, as_json: bool
) -> None:
    """Find what jobs have found about QUERY, by meaning and by words.

    Each finding is shown with its quote, its page, when that page was read, and the job. What a review rejected and
    what was forgotten is not found.
    """
    from research_crawler.services.findings_search import memory_query, search_memory

    config = settings()
    where = FindingFilter(
        since=since.strftime("%Y-%m-%d") if since else "",
        host=host,
        kind=cast("FindingKind | None", kind),
        job=job,
    )
    try:
        asked = memory_query(query, where=where, limit=limit)
    except UsageError as error:
        fail(error_text(error), code=BAD_USAGE)

    async def work() -> int:
        from research_crawler.runtime.runtime import connected
        from research_crawler.services.jobs.job_lookup import job_named

        async with connected(config) as runtime:
            named = asked.where.changed(job=await job_named(runtime.container, job))
            answer = await search_memory(runtime, asked.changed(where=named))
        if as_json:
            echo_json(answer.model_dump_json(indent=2, exclude={"v", "points"}))
        else:
            _print(answer)
        return 0 if answer.hits else FAILED

    run_session(config, work)


@memory.command("rebuild")
def rebuild_command() -> None:
    """Make the vector index anew from the archive, which has everything that it holds.

    Needed after QDRANT_URL was changed or the server's data was lost. A local index is made at every start anyway.
    """
    config = settings()

    async def work() -> int:
        from research_crawler.runtime.runtime import connected
        from research_crawler.services.findings_search import rebuild_memory

        async with connected(config) as runtime:
            points = await rebuild_memory(runtime)
        echo(f"the vector index has {count(points, 'finding')}")
        return 0

    run_session(config, work)


def _print(answer: "MemoryAnswer") -> None:
    from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text, is_told_by_quote

    if answer.note:
        echo_err(answer.note)
    for place, hit in enumerate(answer.hits, 1):
        found = hit.finding
        claim, quote = excerpt_text(found.claim), excerpt_text(found.quote)
        shown = quote if len(quote) <= _QUOTE_CHARS else f"{quote[:_QUOTE_CHARS]}…"
        said = f"“{shown}”" if is_told_by_quote(found.claim, found.quote) else f"{claim}\n    “{shown}”"
        echo(
            f"{place:>2}. {said}\n"
            f"    {found.url}, read {found.fetched_at[:10] or 'on an unknown day'}, "
            f"job {', '.join([hit.job, *hit.other_jobs])}"
        )
    if not answer.hits:
        echo_err("the memory has nothing on this")
