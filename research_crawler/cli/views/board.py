"""What a job is doing now, as lines below those that stay: its sub-questions as they fill, and its pages under way."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from research_crawler.core.text.counting import count
from research_crawler.core.text.plain_text import clean_line
from research_crawler.core.web.urls import host_of

if TYPE_CHECKING:
    from research_crawler.core.models.jobs.job import Job
    from research_crawler.frontier.command_locations import CommandLocation

MOST_BOARD_QUESTIONS: Final = 8
"""Most sub-questions that the live view of the terminal shows."""
MOST_BOARD_PAGES: Final = 8
"""Most pages under way that the live view of the terminal shows."""
LOWEST_TERMINAL: Final = 10
"""On a lower terminal the board would push away what it stands below."""
_MARKS: Final = {"filled": ("✓", "green"), "open": ("○", "dim"), "unavailable": ("–", "dim")}
_NEAR: Final = ("•", "cyan")
"""Without a model nobody reads whether what is near to a question answers it."""


def board(job: "Job", locations: "Sequence[CommandLocation]", *, rows: int) -> Table | None:
    """The lines, each as wide as the terminal at most; None if there is nothing to show, or no room.

    Args:
        job: its record.
        locations: where its open commands are.
        rows: how many lines the terminal has.
    """
    if rows < LOWEST_TERMINAL:
        return None
    room = rows // 3
    lines = [*_questions(job, min(MOST_BOARD_QUESTIONS, room))]
    lines += _pages(job, locations, min(MOST_BOARD_PAGES, room))
    if not lines:
        return None
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(width=1)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(no_wrap=True, justify="right")
    for mark, what, state in lines:
        grid.add_row(mark, what, state)
    return grid


Row = tuple[Text, Text, Text]


def _questions(job: "Job", most: int) -> list[Row]:
    """The sub-questions: those that are open first, if there is no room for all."""
    leaves = job.outline.leaves
    marks = _MARKS | ({"filled": _NEAR} if job.brain == "extractive" else {})
    shown = leaves if len(leaves) <= most else sorted(leaves, key=lambda leaf: leaf.state != "open")[:most]
    rows = []
    for leaf in shown:
        mark, style = marks[leaf.state]
        found = count(len(leaf.evidence), "finding") if leaf.evidence else ""
        state = "not to be had" if leaf.state == "unavailable" else found
        rows.append((Text(mark, style), Text(clean_line(leaf.question)), Text(state, "dim")))
    return [*rows, *_more(len(leaves) - len(shown), "question")]


def _pages(job: "Job", locations: "Sequence[CommandLocation]", most: int) -> list[Row]:
    """The pages and searches under way, and what each waits for."""
    urls = {visit.command: visit.url for visit in job.visits if not visit.outcome}
    known = [location for location in locations if location.command in urls]
    rows = [
        (
            Text("→", "cyan"),
            Text(clean_line(_address(urls[location.command]))),
            Text(page_state_text(location), "dim"),
        )
        for location in known[:most]
    ]
    return [*rows, *_more(len(known) - len(rows), "page")]


def page_state_text(location: "CommandLocation") -> str:
    """What becomes of a page that has no outcome yet, in words."""
    seconds = f"{location.for_ms / 1000:.0f} s"
    if location.leased:
        return f"reading, {seconds}"
    if location.queue == "person":
        return "waits for you: research interventions"
    if location.slot == "_":
        return f"waits for a crawler, {seconds}"
    return f"waits for its host, {seconds}"


def _address(url: str) -> str:
    """An address as people read it: without its scheme."""
    return url.partition("://")[2].removeprefix("www.").rstrip("/") or host_of(url)


def _more(number: int, noun: str) -> list[Row]:
    return [(Text(""), Text(f"and {count(number, f'more {noun}')}", "dim"), Text(""))] if number > 0 else []
