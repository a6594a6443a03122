"""What is right and wrong in a report about the benchmark's web: pure functions over the report's JSON."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from rapidfuzz import fuzz

from benchmarks.reporting.report_web.world import LocalQuestion, Stale
from research_crawler.core.web.urls import canonical_url
from research_crawler.demo.demo_questions import Fact, comparable_quote

Report = Mapping[str, Any]
LEAST_ALIKE: Final = 95.0
"""Similarity (rapidfuzz, 0 to 100) with a part of a quote from which the quote has the words of a sentence."""
_MARKS: Final = re.compile(r"(?:\[\d+\](?!\()(?: ?[,;] ?)?)+")
_NUMBER: Final = re.compile(r"\[(\d+)\]")
_HEADING: Final = re.compile(r"^(?:#{1,6} .*|\*\*[^*\n]+\*\*|\*[^*\n]+\*)$", re.M)
"""A heading, or a line in bold type or italics (page and date), under which excerpts stand."""
_AGE: Final = re.compile(
    r"\b(?:until|former(?:ly)?|no longer|up to (?:release|version)|earlier|previously|outdated|superseded)\b"
    r"|\b20\d\d\b",
    re.I,
)
"""Words and years that show that a sentence is not about today."""
_NEXT_PART: Final = re.compile(r"^## (?:Research Journey|Key Sources)\b", re.M)
_LABEL: Final = re.compile(r"^[\w.-]+\.?[\w-]*(?::\d+)?(?: \([^()]*\))?: (?=[“\"])")
"""A host before a quoted sentence, as a first-person quote is told."""


Cause = Literal["not read", "not quoted", "not chosen", "cut by the checks"]
"""Where a planted fact was lost: no page of it was read, no quote has it, the report does not show such a quote."""


@dataclass(frozen=True)
class Segment:
    """Text of a report up to the marks that cite its sources."""

    text: str
    urls: frozenset[str]
    heading: str = ""


@dataclass
class Score:
    """The counts of one report."""

    question: LocalQuestion
    facts: int = 0
    found: int = 0
    """Facts that the reader gets with the citation of a page that states them."""
    in_evidence: int = 0
    missed: dict[str, Cause] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    """Cited URLs of pages that the job did not read."""
    stale: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    shows_both_sides: bool = False
    cited: int = 0
    unsupported: list[str] = field(default_factory=list)
    """Cited sentences that their quotes do not state as a whole."""
    abstained: bool = False
    words: int = 0


def scored(question: LocalQuestion, report: Report, claims: Sequence[Mapping[str, Any]] = ()) -> Score:
    """Compare a report with what is true.

    Args:
        question: with the URLs of this run.
        report: the JSON of the report.
        claims: what the checks made of each sentence of a model.
    """
    score = Score(question, facts=len(question.facts))
    text = answer_part(report)
    parts = list(segments(text, report))
    read = {canonical_url(url) for url in (report["phase1"] or {}).get("sources", ())}
    for fact in question.facts:
        if any(fact.is_stated_in(part.text) and part.urls & _addresses(fact) for part in parts):
            score.found += 1
        else:
            score.missed[fact.id] = _cause(fact, report, read, claims)
        score.in_evidence += _is_evidence(fact, report)
    score.unread = sorted({url for part in parts for url in part.urls} - read)
    lines = [
        comparable_quote(f"{heading}: {line}" if heading else line)
        for heading, body in _under_headings(_without_marks(text))
        for line in body.splitlines()
        if line.strip()
    ]
    if question.stale:
        score.stale = [line for line in lines if _is_stale(question.stale, line)]
    score.wrong = [line for line in lines for pattern in question.wrong if re.search(pattern, line, re.I)]
    if question.sides:
        score.shows_both_sides = _has_all(question, " ".join(part.text for part in parts))
    claims = list(cited_sentences(report))
    score.cited = len(claims)
    score.unsupported = [claim for claim, quotes in claims if not states_whole(claim, quotes)]
    score.abstained = report["exit_code"] == 3 or not parts
    score.words = len(_without_marks(text).split())
    return score


def answer_part(report: Report) -> str:
    """What a reader takes for the answer: all before the journey, without the title and the certainty."""
    before = _NEXT_PART.split(report["report_markdown"], maxsplit=1)[0]
    return before.partition("\n## ")[2]


def segments(text: str, report: Report) -> Iterator[Segment]:
    """The cited pieces of a report; what no mark follows is no piece."""
    sources = {source["n"]: _all_urls(source) for source in report["sources"]}
    for heading, body in _under_headings(text):
        start = 0
        for marks in _MARKS.finditer(body):
            numbers = [int(number) for number in _NUMBER.findall(marks[0])]
            urls = frozenset().union(*(sources.get(number, ()) for number in numbers))
            piece = body[start : marks.start()]
            start = marks.end()
            if piece.strip():
                yield Segment(piece, urls, heading)


def cited_sentences(report: Report) -> Iterator[tuple[str, list[str]]]:
    """All sentences that cite evidence, wherever they stand in the report, each once with its quotes."""
    quotes = {piece["id"]: piece["quote"] for piece in report["evidence"]}
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for text, ids in _cited(
        {key: report[key] for key in report if key not in ("evidence", "phase1", "phase2")}
    ):
        key = (text, tuple(ids))
        if key not in seen:
            seen.add(key)
            yield text, [quotes[id_] for id_ in ids if id_ in quotes]


def states_whole(text: str, quotes: Sequence[str]) -> bool:
    """Whether the quotes have all words of a sentence in its order, and every number."""
    words = _words(_LABEL.sub("", text))
    known = [_words(quote) for quote in quotes]
    numbers = {word for word in words if any(char.isdigit() for char in word)}
    if not numbers <= {word for quote in known for word in quote}:
        return False
    sentence = " ".join(words)
    return any(fuzz.partial_ratio(sentence, " ".join(quote)) >= LEAST_ALIKE for quote in known if quote) or (
        len(quotes) > 1 and set(words) <= {word for quote in known for word in quote}
    )


def _cited(part: Any) -> Iterator[tuple[str, list[str]]]:
    if isinstance(part, list):
        for one in part:
            yield from _cited(one)
    elif isinstance(part, dict):
        text, ids = part.get("text"), part.get("evidence")
        if (
            isinstance(text, str)
            and isinstance(ids, list)
            and ids
            and all(isinstance(id_, str) for id_ in ids)
        ):
            yield text, ids
        for value in part.values():
            yield from _cited(value)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[.,]\d+)*", comparable_quote(text).lower())


def _under_headings(text: str) -> Iterator[tuple[str, str]]:
    headings = list(_HEADING.finditer(text))
    starts = [0, *(heading.end() for heading in headings)]
    ends = [*(heading.start() for heading in headings), len(text)]
    titles = ["", *(heading[0].strip("#* ") for heading in headings)]
    for title, start, end in zip(titles, starts, ends, strict=True):
        yield title, text[start:end]


def _is_stale(stale: Stale, line: str) -> bool:
    """Whether a paragraph, with the heading above it, has the value and nothing that shows its age."""
    stated = all(re.search(pattern, line, re.I) for pattern in stale.accept)
    dated = _AGE.search(line) or any(re.search(pattern, line, re.I) for pattern in stale.dated)
    return stated and not dated


def _is_evidence(fact: Fact, report: Report) -> bool:
    return any(
        fact.is_stated_in(piece["quote"]) and canonical_url(piece["url"]) in _addresses(fact)
        for piece in report["evidence"]
    )


def _cause(fact: Fact, report: Report, read: Collection[str], claims: Sequence[Mapping[str, Any]]) -> Cause:
    """Where a fact was lost that the report lacks."""
    if _addresses(fact).isdisjoint(read):
        return "not read"
    if not _is_evidence(fact, report):
        return "not quoted"
    is_cut = any(fact.is_stated_in(claim["written"]) and not claim["shown"] for claim in claims)
    return "cut by the checks" if is_cut else "not chosen"


def _has_all(question: LocalQuestion, text: str) -> bool:
    plain = comparable_quote(text)
    return all(any(re.search(pattern, plain, re.I) for pattern in side) for side in question.sides)


def _without_marks(text: str) -> str:
    return _MARKS.sub("", text)


def _addresses(fact: Fact) -> set[str]:
    return {canonical_url(url) for url in fact.urls}


def _all_urls(source: Mapping[str, Any]) -> set[str]:
    return {canonical_url(url) for url in (source["url"], *source.get("other_urls", ()))}
