"""Shows a job that waits for a person: its answer, journey and sources, and how to answer."""

from typing import TYPE_CHECKING

from research_crawler.cli.session import echo
from research_crawler.core.models.jobs.job import state_words

if TYPE_CHECKING:
    from research_crawler.services.reviews.review_answers import ReviewOutcome
    from research_crawler.services.reviews.views import ReviewView

MOST_SHOWN_FINDINGS = 12
"""Most further findings that a review prints."""
MOST_SHOWN_CHARS = 300
"""Longest claim that a review prints."""


def review_lines(view: "ReviewView") -> list[str]:
    """The lines that a person reads before answering."""
    lines = [f"{view.job}: {view.goal}"]
    lines += [f"Warning: {warning}" for warning in view.warnings]
    question = view.question
    if question and question.kind == "plan":
        return [*lines, *_plan(view), "", question.text]
    lines += ["", "Answer" if view.report_markdown else "Found so far"]
    ids = {text: f"{one.id}  " for text, one in view.answering.items()}
    lines += [f"  {ids.get(text, '')}{_cut(text)}" for text in view.answer] or ["  nothing yet"]
    lines += ["", "Journey", f"  {_cut(view.journey)}"]
    lines += ["", "Key sources"]
    lines += [f"  {source.n}. {_cut(source.title or source.host)} – {source.url}" for source in view.sources]
    if view.further:
        lines += ["", "Further findings (reject one by its id)" if ids else "Findings (reject one by its id)"]
        lines += [f"  {one.id}  {_cut(one.claim)}" for one in view.further[:MOST_SHOWN_FINDINGS]]
        if (more := len(view.further) - MOST_SHOWN_FINDINGS) > 0:
            lines.append(f"  {more} more: `research review {view.job} --json`")
    if question and question.difficulty:
        lines += ["", f"Difficulty: {question.difficulty}"]
    return [*lines, "", question.text] if question else lines


def show_review(view: "ReviewView") -> None:
    """Print what a person reads before answering."""
    for line in review_lines(view):
        echo(line)


def how_to_answer(view: "ReviewView") -> str:
    """The commands that answer the job's question, in one line."""
    kind = view.question.kind if view.question else "review"
    if kind == "plan":
        return (
            f"answer with: research review {view.job} --accept | --outline FILE | --append TEXT --as fact; "
            f"or research cancel {view.job}"
        )
    first = "--accept | --reject TEXT | --append TEXT --as fact"
    if kind == "ask":
        first = "--append TEXT | --accept"
    return f"answer with: research review {view.job} {first} | --reject-finding ID | --reject-source URL"


def outcome_lines(outcome: "ReviewOutcome") -> list[str]:
    """What became of an answer."""
    if not outcome.is_applied:
        return [f"{outcome.job}: the answer is kept; it counts as soon as a planner takes the job"]
    if outcome.state == "completed":
        return [f"{outcome.job} is completed; `research result {outcome.job}` prints its report"]
    lines = [f"{outcome.job} goes on ({state_words(outcome.state)})"]
    lines += [f"  retracted: {_cut(text)}" for text in outcome.retracted_claims]
    if not outcome.has_time:
        lines.append("  its time is used up: it reads no more pages, and only writes its report again")
    if outcome.missing:
        lines.append(f"  nobody works on it here; go on with: research run --resume {outcome.job}")
    return lines


def _plan(view: "ReviewView") -> list[str]:
    lines = ["", "Outline"]
    for section in view.outline:
        lines += [f"  {section.title}", *(f"    - {leaf.question}" for leaf in section.leaves)]
    lines += [] if view.outline else ["  none yet: it is made from what the first searches find"]
    if view.question:
        if not view.question.action:
            return [*lines, "", "First step", f"  no search and no page: {_cut(view.question.reason)}"]
        lines += ["", "First searches" if view.question.queries else "First pages"]
        lines += [f"  {text}" for text in [*view.question.queries, *view.question.urls]]
    return lines


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MOST_SHOWN_CHARS else text[: MOST_SHOWN_CHARS - 1] + "…"
