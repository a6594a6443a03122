"""Write answer, certainty, key findings and journey without a model, from the findings themselves."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from planner.audit.conflicts import conflicts
from planner.audit.contradictions import replaced_places, told_apart
from planner.audit.evidence_statements import evidence_statements
from planner.audit.same_fact import Stated, is_same_fact
from planner.brains.extractive.asking.queries import aspects, question_of
from planner.brains.extractive.asking.rare_marks import lacking_marks
from planner.brains.extractive.deciding.coverage import hosts_of
from planner.brains.extractive.writing.digest import age_cost
from planner.brains.extractive.writing.report_digest import differing_first, digest_report
from planner.text.messages import Messages
from planner.text.ranking import cosine
from research_crawler.core.models.drafts import ReportDraft, ReportView, Sentence
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import slot_of

ANSWER_SENTENCES = 8
KEY_FINDINGS = 10
PER_PAGE = 4
"""Most sentences of the answer from one page."""
ANSWER_OF_BEST = 0.4
"""Least value of a sentence of the answer, or of a key finding, as a share of the best one.

With these three constants, and the four below, the answers to the demo web's questions contain 63 of its 88 facts in
128 sentences; with 6, 2 and 0.6, and without the four, 48 in 82.
"""
PAGE_SHARE, FIGURE_GAIN = 0.2, 0.1
"""How much the relevance of the page, and a figure in the sentence, add to its value."""
ASKING_COST, PASSING_ON_COST = 0.15, 0.1
"""How much a personal story (often the question of a thread), and a sentence about the page itself, lose."""
AGREES, AGREES_WITH_FIGURE = 0.72, 0.45
"""Cosine from which findings of different hosts are taken to say the same thing, so that only one of them is chosen:
in general, and with a figure in common. A second host is cited by `_similar` alone, which asks for more."""
_FIGURE = re.compile(r"\d[\d.,]*\d")
MAX_SIMILAR = 2
_TITLES = 3
"""Titles of pages that are named where none of them answers."""
_SAME = 0.85
"""Cosine from which a finding adds nothing new to a list."""
_DIVERSITY = 0.3
SCORE_SHARE, QUESTION_SHARE, AGREEMENT_SHARE = 0.6, 0.15, 0.25
"""Weights of the extractor's score, of the similarity to the question, and of the agreement of other hosts."""

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
    """A report draft in the words of the pages: a digest of excerpts for a question, sentences for shopping."""
    if view.intent == "informational":
        return (await digest_report(view, embedder)).changed(journey=journey(view))
    question = question_of(view.goal, view.task)
    if lacking := [mark for mark in lacking_marks(question, view.findings) if not mark.isdecimal()]:
        return _of_other_things(view, lacking)
    said = await evidence_statements(question, view.findings, embedder)
    differing = await conflicts([question, *aspects(question)], view.findings, said, embedder)
    outdated = replaced_places(differing)
    ranked = [item for item in await _ranked(view, embedder) if item.place not in outdated]
    best = max((item.value for item in ranked), default=0.0)
    useful = [item for item in ranked if item.value >= ANSWER_OF_BEST * best]
    answer = _pick(
        useful, ANSWER_SENTENCES, ranked, per_page=PER_PAGE, first=await _per_aspect(view, ranked, embedder)
    )
    listed = _pick(useful, KEY_FINDINGS, ranked, per_page=KEY_FINDINGS)
    contradictions = told_apart(differing, view.language)
    first = differing_first(contradictions, differing)
    known = {sentence.text for sentence in first}
    told = [_sentence(item, ranked) for item in answer]
    sentences = [*first, *(one for one in told if one.text not in known)][:ANSWER_SENTENCES]
    return ReportDraft(
        by="extractive",
        answer=sentences,
        certainty=_certainty(view, sentences),
        lists={"key_findings": [_sentence(item, ranked) for item in listed]},
        contradictions=contradictions,
        journey=journey(view),
    )


def _of_other_things(view: ReportView, lacking: Sequence[str]) -> ReportDraft:
    """The draft for a model that no page names: what was read is about others."""
    titles = dict.fromkeys(finding.title or slot_of(finding.url) for finding in view.findings)
    missing = Messages(view.language)("missing", items=", ".join(lacking))
    return ReportDraft(
        by="extractive", not_found="; ".join(list(titles)[:_TITLES]), certainty=missing, journey=journey(view)
    )


async def _ranked(view: ReportView, embedder: Embedder) -> list[_Ranked]:
    if not view.findings:
        return []
    question = question_of(view.goal, view.task)
    question_vector, *vectors = await embedder.embed([question, *(f.claim for f in view.findings)])
    ranked = [_Ranked(i, f, v, 0.0) for i, (f, v) in enumerate(zip(view.findings, vectors, strict=True))]
    newest = max((finding.published for finding in view.findings), default="")
    pages = {visit.final_url or visit.url: visit.relevance for visit in view.visited}
    best_page = max(pages.values(), default=0.0) or 1.0
    for item in ranked:
        item.value = (
            SCORE_SHARE * item.finding.score
            + QUESTION_SHARE * max(0.0, cosine(question_vector, item.vector))
            + AGREEMENT_SHARE * _agreement(item, ranked)
            + PAGE_SHARE * pages.get(item.finding.url, 0.0) / best_page
            - age_cost(item.finding.published, newest)
            + _form_value(item.finding.claim)
        )
    return ranked


def _form_value(claim: str) -> float:
    """What the form of a sentence adds to its value: figures are good; stories and sentences about the page are bad."""
    return (
        FIGURE_GAIN * bool(re.search(r"\d", claim))
        - ASKING_COST * bool(_ASKING.match(claim))
        - PASSING_ON_COST * bool(_PASSING_ON.search(claim))
    )


def _agreement(item: _Ranked, ranked: list[_Ranked]) -> float:
    """How many other hosts agree with a finding, as a share of two hosts, 0 to 1."""
    hosts = {slot_of(other.finding.url) for other in _agreeing(item, ranked)}
    return min(1.0, len(hosts) / 2)


def _agreeing(item: _Ranked, ranked: list[_Ranked]) -> list[_Ranked]:
    """The findings of other hosts that agree with this one, nearest first."""
    host, figures = slot_of(item.finding.url), set(_FIGURE.findall(item.finding.claim))
    near = []
    for other in ranked:
        if slot_of(other.finding.url) == host:
            continue
        least = AGREES_WITH_FIGURE if figures & set(_FIGURE.findall(other.finding.claim)) else AGREES
        if (similarity := cosine(item.vector, other.vector)) >= least:
            near.append((similarity, other))
    return [other for _, other in sorted(near, key=lambda pair: -pair[0])]


async def _per_aspect(view: ReportView, ranked: list[_Ranked], embedder: Embedder) -> list[_Ranked]:
    """The best finding for each part of the question."""
    parts = aspects(question_of(view.goal, view.task))[:ANSWER_SENTENCES]
    vectors = await embedder.embed(parts) if ranked else []
    best = (max(ranked, key=lambda item: item.value + cosine(vector, item.vector)) for vector in vectors)
    return list({item.place: item for item in best}.values())


def _pick(
    pool: list[_Ranked], most: int, ranked: list[_Ranked], *, per_page: int, first: Sequence[_Ranked] = ()
) -> list[_Ranked]:
    """`first`, then the best of the pool that differ from those before them, at most `per_page` of one page."""
    chosen = list(first)
    rest = [item for item in pool if item not in chosen]
    while rest and len(chosen) < most:
        known = {
            item.place: max((cosine(item.vector, c.vector) for c in chosen), default=0.0) for item in rest
        }
        pages = [item.finding.url for item in chosen]
        repeated = {other.place for c in chosen for other in _agreeing(c, ranked)}
        rest = [
            item
            for item in rest
            if known[item.place] < _SAME
            and item.place not in repeated
            and pages.count(item.finding.url) < per_page
        ]
        if rest:
            best = max(rest, key=lambda item: item.value - _DIVERSITY * known[item.place])
            chosen.append(best)
            rest.remove(best)
    return chosen


def _sentence(item: _Ranked, ranked: list[_Ranked]) -> Sentence:
    """The claim as a sentence with its own evidence, and with similar statements of other hosts."""
    places: list[int] = []
    hosts = {slot_of(item.finding.url)}
    for other in _agreeing(item, ranked):
        host = slot_of(other.finding.url)
        if host not in hosts and len(places) < MAX_SIMILAR and _is_similar(item, other):
            places.append(other.place)
            hosts.add(host)
    text = item.finding.claim.strip()
    shown = text if text.endswith((".", "!", "?", "…", "。")) else f"{text}."
    return Sentence(text=shown, evidence=[item.place], similar=places)


def _is_similar(item: _Ranked, other: _Ranked) -> bool:
    """Whether another host may be cited beside a finding: nearly the same meaning, the same names and figures.

    One figure in common is not enough: any page can repeat it, and so borrow the citation of a better one.
    """
    return cosine(item.vector, other.vector) > AGREES and is_same_fact(
        Stated(item.finding.claim), Stated(other.finding.claim)
    )


def _certainty(view: ReportView, answer: list[Sentence]) -> str:
    say = Messages(view.language)
    if not answer:
        return say("certainty_none")
    similar = sum(bool(sentence.similar) for sentence in answer)
    hosts = len(hosts_of(view.findings))
    level = "high" if similar * 2 >= len(answer) and hosts > 2 else "medium" if hosts > 1 else "low"
    lack = f" {say('missing', items=', '.join(view.missing))}" if view.missing else ""
    return (
        say(
            "certainty_why",
            level=say(f"certainty_{level}"),
            findings=len(view.findings),
            hosts=hosts,
            similar=similar,
            n=len(answer),
        )
        + lack
    )


def journey(view: ReportView) -> str:
    """One short paragraph: the searches, the pages read, the most useful page, and how the research ended."""
    say = Messages(view.language)
    queries = f" {say('and')} ".join(f"“{search.query}”" for search in view.searches) or say("nothing")
    results = sum(search.results for search in view.searches)
    read = [visit for visit in view.visited if visit.what == "ok"]
    unread = len(view.visited) - len(read)
    count = max(len(read), view.pages_read)
    known = [visit.final_url or visit.url for visit in read]
    if count > len(read):  # the record has dropped visits; what they found is left
        known += [finding.url for finding in view.findings]
    hosts = len({slot_of(url) for url in known})
    useful = max(read, key=lambda visit: (visit.findings, visit.relevance), default=None)
    parts = [
        say("step_searched", queries=queries, n=results),
        say("step_read", n=count, hosts=hosts) + (say("step_unread", n=unread) if unread else "") + ".",
    ]
    if useful and useful.findings:
        parts.append(
            say(
                "step_useful",
                title=useful.title or useful.url,
                host=say("own_file") if useful.origin == "file" else slot_of(useful.final_url or useful.url),
                n=useful.findings,
            )
        )
    if view.done_reason:
        reason = view.done_reason.rstrip(".")
        parts.append(say("step_ended", reason=f"{reason[:1].upper()}{reason[1:]}"))
    return " ".join(parts)
