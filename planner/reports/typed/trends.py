"""The part on request about trends: how something changed over time, with its dates and figures. Pure.

Code finds the sentences with a date and a figure; which way something went, a reader tells.
"""

from collections.abc import Sequence
from typing import Final

from planner.reports.sources.citations import Citations
from planner.reports.typed.event_days import event_day_of
from planner.reports.typed.part_readings import MOST_PAIRS, PartReadings
from planner.reports.typed.subject_statements import AskedSubject, Statement
from planner.reports.typed.typed_list import TypedEntry, TypedList
from planner.verify.parsed_text import parse_text
from research_crawler.core.models.evidence.entailment import Pair
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.reports.drafts import Sentence
from research_crawler.text.measures.likeness import shared
from research_crawler.text.writing.messages import Messages

MOST_TRENDS = 8
"""Most sentences of the list of trends."""
_COPIED: Final = 0.8
"""Share of the words of the shorter of two sentences from which one is a copy of the other. Chosen, not measured."""
_WAYS: Final = {"supported": "rising", "contradicted": "falling"}
UNREAD_WAY: Final = "dated"
"""The kind of a sentence of which nobody has read which way it tells of."""


def trend_pairs(findings: Sequence[Finding], about: AskedSubject) -> list[Pair]:
    """What a reader is asked: whether each dated figure of the subject rose."""
    dated = _distinct(_dated(findings, about))[:MOST_PAIRS]
    return [Pair(statement=_rise(about), quotes=[one.text], sources=[one.host]) for one, _ in dated]


def trend_list(
    findings: Sequence[Finding],
    about: AskedSubject,
    citations: Citations,
    translate: Messages,
    readings: PartReadings,
) -> TypedList:
    """The sentences that say by how much something changed and when, oldest first, and how many point which way."""
    ways = [(one, time, _way(one, about, readings)) for one, time in _distinct(_dated(findings, about))]
    chosen = sorted([entry for entry in ways if entry[2]][:MOST_TRENDS], key=lambda entry: entry[1])
    if not chosen:
        return TypedList("trends", [], translate("no_dated_change"))
    entries = [
        TypedEntry(cited, before=_when_and_how(time, way, translate), day=time, kind=way)
        for one, time, way in chosen
        for cited in citations.cite([Sentence(text=one.text, evidence=[one.index])])
    ]
    return TypedList("trends", entries, _intro(chosen, about, translate))


def _intro(chosen: Sequence[tuple[Statement, str, str]], about: AskedSubject, translate: Messages) -> str:
    ways = [way for _, _, way in chosen]
    if set(ways) == {UNREAD_WAY}:
        return translate("trends_need_model")
    years = sorted({year for _, time, _ in chosen for year in (time[:4], time.rpartition("–")[2][:4])})
    span = "–".join(dict.fromkeys((years[0], years[-1])))
    return translate(
        "trend_counts", about=about.text, up=ways.count("rising"), down=ways.count("falling"), span=span
    )


def _when_and_how(time: str, way: str, translate: Messages) -> str:
    return time if way == UNREAD_WAY else f"{time} · {translate(f'kind_of_{way}')}"


def _rise(about: AskedSubject) -> str:
    return f"The quote tells of a rise of something about “{about.text}”, and not of a fall."


def _way(one: Statement, about: AskedSubject, readings: PartReadings) -> str:
    """Which way a sentence says that something went; empty if a reader found neither."""
    verdict = readings.verdict(_rise(about), one.text)
    return UNREAD_WAY if verdict == "could_not_check" else _WAYS.get(verdict, "")


def _dated(findings: Sequence[Finding], about: AskedSubject) -> list[tuple[Statement, str]]:
    """The sentences about the subject with a figure that is no date, each with its time."""
    return [
        (statement, time)
        for statement in about.statements(findings)
        if statement.names_subject
        and (time := _time_of(statement))
        and any(not figure.is_year for figure in parse_text(statement.text, statement.language).figures)
    ]


def _time_of(statement: Statement) -> str:
    """Of which time a change is: the years that it names, else its day."""
    years = sorted({date.year for date in parse_text(statement.text, statement.language).dates if date.year})
    if years:
        return str(years[0]) if len(years) == 1 else f"{years[0]}–{years[-1]}"
    day = event_day_of(statement.text, statement.published, statement.language)
    return day.iso if day else ""


def _distinct(dated: Sequence[tuple[Statement, str]]) -> list[tuple[Statement, str]]:
    """The sentences, each once: another page's copy of one has most of its words."""
    kept: list[tuple[Statement, str]] = []
    for entry in dated:
        words = entry[0].words
        if not any(shared(words, one.words) >= _COPIED for one, _ in kept):
            kept.append(entry)
    return kept
