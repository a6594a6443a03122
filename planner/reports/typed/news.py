"""The parts of a news report: dated events in their order, and the key developments of the last seven days."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from planner.reports.sources.citations import Citations
from planner.reports.typed.event_days import EventDay, event_day_of
from planner.reports.typed.subject_statements import AskedSubject, Statement, is_called_telling
from planner.reports.typed.typed_list import TypedEntry, TypedList
from planner.types.searching import NEWS_DAYS
from planner.verify.cited_source import CitedSource
from planner.verify.vetoes import vetoes
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.text.measures.likeness import shared
from research_crawler.text.writing.messages import Messages

MOST_DEVELOPMENTS, MOST_DATES, MOST_OF_A_PAGE = 5, 15, 2
"""Most key developments, most dates of the timeline, and most developments of one page."""
_OPENING_CHARS: Final = 1_500
"""What is new stands in the first paragraphs of a report; further down is what was known before."""
_SAME: Final = 0.5
"""Share of the words of the shorter one from which two sentences of one day tell of the same event. Chosen, not
measured."""


@dataclass
class _Event:
    """What one or several hosts tell of one day."""

    statement: Statement
    day: str
    is_reported: bool = False
    """The day is that of the report, because no other is told."""
    also: tuple[Statement, ...] = ()


def news_lists(
    findings: Sequence[Finding], about: AskedSubject, citations: Citations, *, today: str, translate: Messages
) -> tuple[list[TypedList], dict[str, Any]]:
    """The lists of a news report, and the same for `--json`.

    Args:
        findings: in the order of their evidence ids.
        about: what the question is about.
        citations: numbers what is cited.
        today: the day of the writing, as ISO text.
        translate: the messages in the language of the report.
    """
    since = _since(today)
    statements = about.statements(findings)
    when = {one.text: event_day_of(one.text, one.published, one.language) for one in statements}
    events = _timeline(statements, when)
    recent = [one for one in statements if since and _is_recent(one, when[one.text], since, today)]
    newest = max((event.day for event in events), default="")
    intro = (
        translate("no_recent_news", days=NEWS_DAYS, day=translate.day(newest))
        if newest and not recent
        else ""
    )
    developments = TypedList(
        "key_developments", list(_entries(_developments(recent or statements), citations, translate)), intro
    )
    timeline = TypedList(
        "timeline",
        list(_entries(events, citations, translate, dated=True)),
        "" if events else translate("no_dated_events"),
    )
    record = {
        "since": since,
        "until": today,
        "timeline": timeline.records("date"),
        "key_developments": developments.records(""),
    }
    return [developments, timeline], record


def _since(today: str) -> str:
    try:
        return (date.fromisoformat(today) - timedelta(days=NEWS_DAYS)).isoformat()
    except ValueError:
        return ""


def _is_recent(statement: Statement, when: EventDay | None, since: str, today: str) -> bool:
    """Whether its page is of the last days, and it tells of no earlier time."""
    day = when.iso if when and when.is_day else statement.published
    if when and not when.is_day and when.iso < since[:7]:
        return False
    return bool(statement.published or day) and since <= day <= today


def _timeline(statements: Sequence[Statement], when: dict[str, EventDay | None]) -> list[_Event]:
    """The events in the order of their days; of a page that dates none, the sentence that it begins with."""
    dated = [_Event(statement, moment.iso) for statement in statements if (moment := when[statement.text])]
    has_event = {event.statement.finding.url for event in dated}
    leads: dict[str, Statement] = {}
    # A report of two paragraphs often begins without the name of what it is about: "The subsidy is 15 million".
    for statement in sorted(statements, key=lambda statement: (not statement.names_subject, statement.start)):
        is_about = statement.names_subject or is_called_telling(statement.finding)
        if (
            is_about
            and _is_opening(statement)
            and statement.published
            and statement.finding.url not in has_event
        ):
            leads.setdefault(statement.finding.url, statement)
    events = [
        *dated,
        *(_Event(statement, statement.published, is_reported=True) for statement in leads.values()),
    ]
    merged = _merged(sorted(events, key=lambda event: event.statement.index))
    return sorted(merged, key=lambda event: event.day)[-MOST_DATES:]


def _is_opening(one: Statement) -> bool:
    return one.start < _OPENING_CHARS


def _developments(statements: Sequence[Statement]) -> list[_Event]:
    """What is new: what several hosts say first, then the best findings; of each page at most two sentences."""
    merged = _merged([_Event(one, "") for one in statements if one.names_subject or _is_opening(one)])

    def worth(event: _Event) -> tuple[int, bool, float]:
        return len(event.also), event.statement.names_subject, event.statement.finding.score

    chosen: list[_Event] = []
    for event in sorted(merged, key=worth, reverse=True):
        of_page = sum(other.statement.finding.url == event.statement.finding.url for other in chosen)
        if of_page < MOST_OF_A_PAGE and len(chosen) < MOST_DEVELOPMENTS:
            chosen.append(event)
    return chosen


def _merged(events: Iterable[_Event]) -> list[_Event]:
    """The events, each once: what several sentences tell of one day is told in the words of the first."""
    kept: list[_Event] = []
    for event in events:
        same = next(
            (one for one in kept if one.day == event.day and _tells_the_same(one.statement, event.statement)),
            None,
        )
        if same is None:
            kept.append(event)
        elif event.statement.host != same.statement.host and _differs_in_nothing(
            same.statement, event.statement
        ):
            same.also = (*same.also, event.statement)
    return kept


def _tells_the_same(one: Statement, other: Statement) -> bool:
    return shared(one.words, other.words) >= _SAME


def _differs_in_nothing(one: Statement, other: Statement) -> bool:
    """Whether each gives the other's figures, dates and names, so that it may be told as said by both."""
    pairs = ((one, other), (other, one))
    return not any(vetoes(mine.text, CitedSource([theirs.text]), mine.language) for mine, theirs in pairs)


def _entries(
    events: Iterable[_Event], citations: Citations, translate: Messages, *, dated: bool = False
) -> Iterator[TypedEntry]:
    for event in events:
        sentence = Sentence(
            text=event.statement.text,
            evidence=[event.statement.index],
            similar=[one.index for one in event.also],
        )
        day = translate.day(event.day)
        day = translate("reported_on", day=day) if event.is_reported else day
        for cited in citations.cite([sentence]):
            yield TypedEntry(cited, before=day if dated else "", day=event.day if dated else "")
