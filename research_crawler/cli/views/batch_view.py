"""Shows batches as lines and JSON, for people and scripts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from research_crawler.cli.session import echo
from research_crawler.core.batch_template import without_braces
from research_crawler.core.text.counting import count
from research_crawler.core.text.plain_text import clean_line

if TYPE_CHECKING:
    from research_crawler.core.models.jobs.batches import BatchEntry, BatchRow

_STATES = ("running", "waiting", "done", "partly", "insufficient", "failed", "cancelled")


def counts_of(entry: "BatchEntry") -> str:
    """How many rows are in which state, in one line."""
    counts: dict[Any, int] = dict(entry.counts)
    return ", ".join(f"{counts[state]} {state}" for state in _STATES if counts.get(state))


def spent_of(entry: "BatchEntry") -> list[str]:
    """What the batch has used so far."""
    used = [count(entry.pages, "page")] if entry.pages else []
    used += [count(entry.tokens, "token")] if entry.tokens else []
    return used + ([f"${entry.usd:.2f}"] if entry.usd else [])


def entry_line(entry: "BatchEntry", *, stands_still: bool = False) -> str:
    """A batch in one line. `stands_still`: no process works on batches now."""
    name = clean_line(without_braces(entry.batch.name))[:60]
    state = "paused" if stands_still and entry.state == "running" else entry.state
    return f"{entry.batch.id}  {state:9}  {entry.ended_rows:>6}/{entry.batch.rows:<6}  {name}"


def print_batch(entry: "BatchEntry", rows: Sequence["BatchRow"], *, stands_still: bool = False) -> None:
    """Print a batch, and the rows if there are any."""
    echo(entry_line(entry, stands_still=stands_still))
    parts = [counts_of(entry), *spent_of(entry)]
    echo(f"  {' · '.join(part for part in parts if part)}")
    if entry.reason:
        echo(f"  stopped: {clean_line(entry.reason)}")
    for row in rows:
        fields = clean_line(", ".join(value for value in row.fields.values() if value))[:60]
        why = clean_line(row.result.error or row.result.cause)
        echo(f"  {row.n:>6}  {row.state:12}  {fields}" + (f"  {why}" if why else ""))


def entry_json(entry: "BatchEntry") -> dict[str, Any]:
    """A batch as `batch status --json` prints it."""
    from research_crawler.services.batches.batch_documents import batch_document

    return batch_document(entry).model_dump(mode="json")
