"""Answer, certainty, key findings and journey without a model: the findings themselves, arranged."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from planner.brains.extractive.coverage import hosts_of
from planner.brains.extractive.queries import aspects, question_of
from planner.text.ranking import cosine
from research_crawler.core.model_ports import Embedder
from research_crawler.core.models.decisions import ReportDraft, ReportView, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.urls import slot_of

ANSWER_SENTENCES = 8
KEY_FINDINGS = 10
PER_PAGE = 4
"""Sentences of the answer that one page may give."""
ANSWER_OF_BEST = 0.4
"""A sentence of the answer, or a key finding, scores at least this share of the best one.

With these three, and the four shares below, the answers to the demo web's questions hold 63 of its 88 facts in 128
sentences; with 6, 2 and 0.6, and without the shares, 48 in 82.
"""
PAGE_SHARE, FIGURE_GAIN = 0.2, 0.1
"""What the relevance of the whole page, and a figure, add."""
ASKING_COST, PASSING_ON_COST = 0.15, 0.1
"""What somebody's own story loses (often it is the question of a thread), and a sentence about the page itself."""
AGREES, AGREES_WITH_FIGURE = 0.72, 0.45
"""Cosine from which findings of different hosts tell the same: in general, and with a figure in common."""
_FIGURE = re.compile(r"\d[\d.,]*\d")
_SAME = 0.85
"""Cosine from which a finding adds nothing to a list."""
_DIVERSITY = 0.3
SCORE_SHARE, QUESTION_SHARE, AGREEMENT_SHARE = 0.6, 0.15, 0.25
"""What the extractor gave it, how near it is to the question, and whether another host tells the same."""
OLD_COST, MAX_OLD_YEARS = 0.03, 3
"""What a finding loses for each year its page is older than the newest one."""
MAX_EVIDENCE = 3

_ASKING = re.compile(
    r"(?:i|we|our|my|anyone|anybody|people|same|ich|wir|mein\w*|unser\w*|je|nous|mon|notre)\b", re.I
)
_PASSING_ON = re.compile(
    r"\b(?:this|the) (?:page|chapter|article|guide|post|section|thread|collection|directory)\b|\bhere is\b|\breplies\b"
    r"|\bdiese[rs]? (?:seite|kapitel|artikel|beitrag)\b|\bcette? (?:page|chapitre|article|guide)\b",
    re.I,
)


@dataclass
class _Ranked:
    place: int
    finding: Finding
    vector: Sequence[float]
    value: float


async def write_answer(view: ReportView, embedder: Embedder) -> ReportDraft:
    """A draft that says only what findings say, each sentence with its evidence."""
    ranked = await _ranked(view, embedder)
    best = max((one.value for one in ranked), default=0.0)
    fit = [one for one in ranked if one.value >= ANSWER_OF_BEST * best]
    answer = _pick(
        fit, ANSWER_SENTENCES, ranked, per_page=PER_PAGE, first=await _per_aspect(view, ranked, embedder)
    )
    listed = _pick(fit, KEY_FINDINGS, ranked, per_page=KEY_FINDINGS)
    sentences = [_sentence(one, ranked) for one in answer]
    return ReportDraft(
        by="extractive",
        answer=sentences,
        certainty=_certainty(view, sentences),
        lists={"key_findings": [_sentence(one, ranked) for one in listed]},
        journey=journey(view),
    )


async def _ranked(view: ReportView, embedder: Embedder) -> list[_Ranked]:
    if not view.findings:
        return []
    question = question_of(view.goal, view.task)
    asked, *vectors = await embedder.embed([question, *(finding.claim for finding in view.findings)])
    ranked = [_Ranked(i, f, v, 0.0) for i, (f, v) in enumerate(zip(view.findings, vectors, strict=True))]
    newest = max((finding.published for finding in view.findings), default="")
    pages = {visit.final_url or visit.url: visit.relevance for visit in view.visited}
    best_page = max(pages.values(), default=0.0) or 1.0
    for one in ranked:
        one.value = (
            SCORE_SHARE * one.finding.score
            + QUESTION_SHARE * max(0.0, cosine(asked, one.vector))
            + AGREEMENT_SHARE * _agreement(one, ranked)
            + PAGE_SHARE * pages.get(one.finding.url, 0.0) / best_page
            - OLD_COST * min(MAX_OLD_YEARS, _years_before(one.finding.published, newest))
            + _form_value(one.finding.claim)
        )
    return ranked


def _form_value(claim: str) -> float:
    """What a sentence's form says of it: figures answer, stories ask, and some only point to what follows."""
    return (
        FIGURE_GAIN * bool(re.search(r"\d", claim))
        - ASKING_COST * bool(_ASKING.match(claim))
        - PASSING_ON_COST * bool(_PASSING_ON.search(claim))
    )


def _years_before(published: str, newest: str) -> int:
    """Whole calendar years between two ISO dates; 0 where one is unknown."""
    if not (published[:4].isdecimal() and newest[:4].isdecimal()):
        return 0
    return int(newest[:4]) - int(published[:4])


def _agreement(one: _Ranked, ranked: list[_Ranked]) -> float:
    """How many other hosts tell the same, as a share of two, 0 to 1."""
    hosts = {slot_of(other.finding.url) for other in _agreeing(one, ranked)}
    return min(1.0, len(hosts) / 2)


def _agreeing(one: _Ranked, ranked: list[_Ranked]) -> list[_Ranked]:
    """Findings of other hosts that tell the same, nearest first."""
    host, figures = slot_of(one.finding.url), set(_FIGURE.findall(one.finding.claim))
    near = []
    for other in ranked:
        if slot_of(other.finding.url) == host:
            continue
        least = AGREES_WITH_FIGURE if figures & set(_FIGURE.findall(other.finding.claim)) else AGREES
        if (similarity := cosine(one.vector, other.vector)) >= least:
            near.append((similarity, other))
    return [other for _, other in sorted(near, key=lambda pair: -pair[0])]


async def _per_aspect(view: ReportView, ranked: list[_Ranked], embedder: Embedder) -> list[_Ranked]:
    """The best finding for each part of the question."""
    parts = aspects(question_of(view.goal, view.task))[:ANSWER_SENTENCES]
    vectors = await embedder.embed(parts) if ranked else []
    best = (max(ranked, key=lambda one: one.value + cosine(vector, one.vector)) for vector in vectors)
    return list({one.place: one for one in best}.values())


def _pick(
    pool: list[_Ranked], most: int, ranked: list[_Ranked], *, per_page: int, first: Sequence[_Ranked] = ()
) -> list[_Ranked]:
    """`first`, then the best of the pool, each telling what those before it do not, not all of one page."""
    chosen = list(first)
    rest = [one for one in pool if one not in chosen]
    while rest and len(chosen) < most:
        known = {one.place: max((cosine(one.vector, c.vector) for c in chosen), default=0.0) for one in rest}
        pages = [one.finding.url for one in chosen]
        told = {other.place for c in chosen for other in _agreeing(c, ranked)}
        rest = [
            one
            for one in rest
            if known[one.place] < _SAME and one.place not in told and pages.count(one.finding.url) < per_page
        ]
        if rest:
            best = max(rest, key=lambda one: one.value - _DIVERSITY * known[one.place])
            chosen.append(best)
            rest.remove(best)
    return chosen


def _sentence(one: _Ranked, ranked: list[_Ranked]) -> Sentence:
    """The claim as a sentence, with findings of other hosts that tell the same."""
    evidence, hosts = [one.place], {slot_of(one.finding.url)}
    for other in _agreeing(one, ranked):
        host = slot_of(other.finding.url)
        if host not in hosts and len(evidence) < MAX_EVIDENCE:
            evidence.append(other.place)
            hosts.add(host)
    text = one.finding.claim.strip()
    return Sentence(text=text if text.endswith((".", "!", "?", "…", "。")) else f"{text}.", evidence=evidence)


def _certainty(view: ReportView, answer: list[Sentence]) -> str:
    if not answer:
        return "Nothing was found that answers the question."
    confirmed = sum(len(sentence.evidence) > 1 for sentence in answer)
    hosts = len(hosts_of(view.findings))
    level = "High" if confirmed * 2 >= len(answer) and hosts > 2 else "Medium" if hosts > 1 else "Low"
    lack = f" Missing or uncertain: {', '.join(view.missing)}." if view.missing else ""
    return (
        f"{level} certainty: {len(view.findings)} findings from {_count(hosts, 'host')}; {confirmed} of "
        f"{_count(len(answer), 'sentence')} above confirmed by a second host.{lack}"
    )


def journey(view: ReportView) -> str:
    """One short paragraph: what was searched, what was read, what gave most, how it ended."""
    queries = " and ".join(f"“{search.query}”" for search in view.searches) or "nothing"
    results = sum(search.results for search in view.searches)
    read = [visit for visit in view.visited if visit.what == "ok"]
    lost = len(view.visited) - len(read)
    hosts = len({slot_of(visit.final_url or visit.url) for visit in read})
    useful = max(read, key=lambda visit: (visit.findings, visit.relevance), default=None)
    parts = [
        f"Searched for {queries} ({_count(results, 'result')})",
        f"and read {_count(len(read), 'page')} on {_count(hosts, 'host')}"
        + (f"; {_count(lost, 'more page')} could not be read" if lost else "")
        + ".",
    ]
    if useful and useful.findings:
        parts.append(
            f"The most useful was “{useful.title or useful.url}” on "
            f"{slot_of(useful.final_url or useful.url)} with {_count(useful.findings, 'finding')}."
        )
    if view.done_reason:
        parts.append(f"It ended because: {view.done_reason}")
    return " ".join(parts)


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
