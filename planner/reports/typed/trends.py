"""The part on request about trends: how something changed over time, with its dates and figures. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from planner.reports.sources.citations import Citations
from planner.reports.typed.about import About, Told
from planner.reports.typed.moments import moment_of
from planner.reports.typed.shown import TypedEntry, TypedList
from planner.reports.typed.wordlists import word_list
from planner.verify.dates import dates_of
from planner.verify.figures import figures_of
from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.text.agreement import is_negated
from research_crawler.text.messages import Messages
from research_crawler.text.words import WORD

MOST_TRENDS = 8
_COPIED: Final = 0.8
"""Share of the words of the shorter of two sentences from which one is a copy of the other. Chosen, not measured."""
_UP_OR_DOWN: Final = re.compile(
    r"\b(up|down)\b(?= (?:from|by|to|about|around|nearly|more than|roughly|\W?\d))", re.I
)
_COMPARED: Final = re.compile(
    r"\b(?:(?:year|month|quarter)[- ](?:over|on|to)[- ](?:year|month|quarter|date)|a year (?:ago|earlier)|q[1-4]"
    r"|(?:last|previous|prior|past|this|first|second|third|fourth|fiscal)[- ](?:year|month|quarter|half|week|decade)"
    r"|(?:gegenüber dem|im) vorjahr|(?:letztes|vergangenes) jahr|par rapport à|l'an dernier|respecto al año"
    r"|el año pasado|rispetto al|l'anno scorso|ten opzichte van|vorig jaar|ano passado|w ubiegłym roku|rok do roku)\b",
    re.I,
)
"""Says of which time a change is, where no date stands."""


def trend_list(findings: Sequence[Finding], about: About, citations: Citations, say: Messages) -> TypedList:
    """The sentences that say by how much something changed and when, oldest first, and how many point which way."""
    moved: list[tuple[Told, str, str]] = []
    for one in about.told(findings):
        way, time = _way(one.text), _time_of(one)
        if way and time and one.names_subject and _has_amount(one.text):
            moved.append((one, way, time))
    chosen = sorted(_distinct(moved)[:MOST_TRENDS], key=lambda entry: entry[2])
    if not chosen:
        return TypedList("trends", [], say("no_dated_change"))
    rising = sum(way == "rising" for _, way, _ in chosen)
    years = sorted({year for _, _, time in chosen for year in (time[:4], time.rpartition("–")[2][:4])})
    span = "–".join(dict.fromkeys((years[0], years[-1])))
    intro = say("trend_counts", about=about.text, up=rising, down=len(chosen) - rising, span=span)
    entries = [
        TypedEntry(cited, before=f"{time} · {say(f'kind_of_{way}')}", day=time, kind=way)
        for one, way, time in chosen
        for cited in citations.keep([Sentence(text=one.text, evidence=[one.place])])
    ]
    return TypedList("trends", entries, intro)


def _way(text: str) -> str:
    """Which way a sentence says that something went; empty if it names both or neither."""
    words = {word.lower() for word in WORD.findall(text)}
    ways = {match[1].lower() for match in _UP_OR_DOWN.finditer(text)}
    up = bool(words & word_list("rising")) or "up" in ways
    down = bool(words & word_list("falling")) or "down" in ways
    if up == down or is_negated(text):
        return ""
    return "rising" if up else "falling"


def _has_amount(text: str) -> bool:
    """Whether it says by how much, or from what to what: a number that is no date."""
    return any(not figure.is_year for figure in figures_of(dates_of(text)[1]))


def _time_of(one: Told) -> str:
    """Of which time a change is: the years that it names, else its day, else when it was told of "last month"."""
    years = sorted({date.year for date in dates_of(one.text)[0] if date.year})
    if years:
        return str(years[0]) if len(years) == 1 else f"{years[0]}–{years[-1]}"
    if moment := moment_of(one.text, one.published):
        return moment.iso
    return one.published if _COMPARED.search(one.text) else ""


def _distinct(moved: Sequence[tuple[Told, str, str]]) -> list[tuple[Told, str, str]]:
    """The changes, each once: another page's copy of a sentence has most of its words."""
    kept: list[tuple[Told, str, str]] = []
    for entry in moved:
        words = entry[0].words
        if not any(len(words & one.words) >= _COPIED * min(len(words), len(one.words)) for one, _, _ in kept):
            kept.append(entry)
    return kept
