"""The parts of a report on request: trends, sentiment and fact checks, from the quotes of its findings."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, get_args

from planner.reports.sources.citations import Citations, Cited
from planner.reports.typed.shown import DatedStatement, TypedEntry, TypedList, dated_statements
from planner.text.agreement import is_negated
from planner.text.messages import Messages
from planner.text.source_types import source_type
from planner.text.words import WORD
from planner.verify.dates import dates_of
from research_crawler.core.models.cited_parts import Evidence
from research_crawler.core.models.drafts import Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.web.urls import host_of

MOST_TRENDS, MOST_OPINIONS = 8, 6
WordList = Literal["rising", "falling", "praise", "blame"]
_DIGIT: Final = re.compile(r"\d")


def trend_list(findings: Sequence[Finding], citations: Citations, say: Messages) -> TypedList:
    """The sentences that say how something changed over time, oldest first, and how many point which way."""
    moved: list[tuple[DatedStatement, str]] = []
    for one in dated_statements(findings):
        way = _way(one.text)
        if way and (_DIGIT.search(one.text) or dates_of(one.text)[0]):
            moved.append((one, way))
    chosen = sorted(moved[:MOST_TRENDS], key=lambda pair: pair[0].day or "9999")
    rising = sum(way == "rising" for _, way in chosen)
    intro = say("trend_counts", up=rising, down=len(chosen) - rising) if chosen else say("nothing_of_that")
    return TypedList("trends", _cited_entries(chosen, citations, say), intro)


def sentiment_list(findings: Sequence[Finding], citations: Citations, say: Messages) -> TypedList:
    """The sentences that praise or blame, of pages that are nobody's own documentation, and how many do which."""
    felt: list[tuple[DatedStatement, str]] = []
    for one in dated_statements(findings):
        finding = findings[one.place]
        feeling = _feeling(one.text)
        if feeling and source_type(finding.url, finding.title) not in ("official", "vendor"):
            felt.append((one, feeling))
    counts = {kind: sum(feeling == kind for _, feeling in felt) for kind in ("praise", "blame")}
    intro = (
        say("sentiment_counts", good=counts["praise"], bad=counts["blame"])
        if felt
        else say("nothing_of_that")
    )
    return TypedList("sentiment", _cited_entries(felt[:MOST_OPINIONS], citations, say), intro)


def factcheck_list(answer: Sequence[Cited], evidence: Sequence[Evidence], say: Messages) -> TypedList:
    """Each sentence of the answer with what its quotes say of it and how many hosts state it."""
    urls = {piece.id: piece.url for piece in evidence}
    entries = []
    for cited in answer:
        hosts = {host_of(urls[id_]) for id_ in (*cited.evidence_ids, *cited.similar_ids) if id_ in urls}
        verdict = say(f"checked_{cited.verdict or 'could_not_check'}")
        entries.append(TypedEntry(cited, behind=say("checked_by", verdict=verdict, n=len(hosts))))
    return TypedList("factcheck", entries, "" if entries else say("nothing_of_that"))


def extra_record(shown: TypedList) -> dict[str, Any]:
    """A part for `--json`."""
    return {"summary": shown.intro, "entries": shown.records("kind")}


def _cited_entries(
    chosen: Sequence[tuple[DatedStatement, str]], citations: Citations, say: Messages
) -> list[TypedEntry]:
    return [
        TypedEntry(cited, before=" · ".join(part for part in (one.day, say(f"kind_of_{kind}")) if part))
        for one, kind in chosen
        for cited in citations.keep([Sentence(text=one.text, evidence=[one.place])])
    ]


def _way(text: str) -> str:
    """Which way a sentence says that something went; empty if it names both or neither."""
    words = _words_in(text)
    up, down = bool(words & _lists()["rising"]), bool(words & _lists()["falling"])
    if up == down or is_negated(text):
        return ""
    return "rising" if up else "falling"


def _feeling(text: str) -> str:
    """Whether a sentence praises or blames; a negation turns it round. Empty if it does both or neither."""
    words = _words_in(text)
    good, bad = len(words & _lists()["praise"]), len(words & _lists()["blame"])
    if good == bad:
        return ""
    is_good = (good > bad) != is_negated(text)
    return "praise" if is_good else "blame"


def _words_in(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


@cache
def _lists() -> Mapping[WordList, frozenset[str]]:
    data = tomllib.loads(files("planner.reports.typed").joinpath("words.toml").read_text("utf-8"))
    names: tuple[WordList, ...] = get_args(WordList)
    return {
        name: frozenset(word for words in data[name].values() for word in words.split()) for name in names
    }
