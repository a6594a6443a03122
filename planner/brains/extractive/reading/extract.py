"""Extract findings from a page without a model: quotes of the sentences that answer the goal."""

from collections.abc import Awaitable, Callable

from planner.brains.extractive.asking.queries import question_of
from planner.brains.extractive.reading.kinds import finding_kind, is_furniture
from planner.brains.extractive.reading.passages import MAX_FINDINGS, proposed_from
from planner.brains.extractive.reading.relevance import Scored, score_units
from research_crawler.core.models.decisions import PageView
from research_crawler.core.models.findings import Extraction, ProposedFinding
from research_crawler.core.ports.crawler import PageParser
from research_crawler.core.ports.models import Embedder
from research_crawler.text.normal_quote import normal_quote
from research_crawler.text.ranking import cosine
from research_crawler.text.sentences import RULE, Unit, passages_json, plain, units, units_json, units_of_json

MAX_SENTENCES = 16
"""Most sentences chosen for findings; neighbours are joined into one finding."""
MIN_SCORE, MIN_OF_BEST = 0.2, 0.25
"""Least score of a finding, and least share of the page's best score."""
_SAME = 0.92
"""Cosine from which two sentences say the same."""
_DIVERSITY = 0.25
"""Weight of the similarity to the sentences chosen before (maximal marginal relevance, Carbonell and
Goldstein 1998)."""
MAX_QUOTE_CHARS = 420
SHORT_ROW_WORDS = 5
"""A row as short as `Height | 43 m` proves little by itself, and may occur in the page twice."""
SUMMARY_CHARS = 300


Splitter = Callable[[PageView], Awaitable[list[Unit]]]
"""Splits a page into the units that can be quoted."""


async def split_here(page: PageView) -> list[Unit]:
    """Split a page in this process."""
    return units(page.markdown, page.passages)


def split_by(parser: PageParser) -> Splitter:
    """Split pages in the processes that read them, under their limits, so that no page holds up a crawler."""

    async def split(page: PageView) -> list[Unit]:
        arguments = (page.markdown, passages_json(page.passages))
        return units_of_json(await parser.run(units_json, *arguments, url=page.url))

    return split


async def extract_quotes(page: PageView, embedder: Embedder, split: Splitter = split_here) -> Extraction:
    """The page's best excerpts for the goal as findings, each a slice of the stored text.

    They are pieces of a section, with their lists and code, at most twelve. For shopping there are sentences as well,
    each of which says one thing, from which offers are searched and judged: a price, a warning, a recommended model.
    """
    if page.purpose.intent == "informational" and not page.nosnippet:
        return _extraction(*await proposed_from(page, embedder))
    pieces = [] if page.nosnippet else _quotable(page, await split(page))
    if not pieces:
        note = "the page forbids quotes (nosnippet)" if page.nosnippet else ""
        return Extraction(by="extractive", note=note)
    scored = await score_units(page, pieces, embedder)
    best = max((one.score for one in scored), default=0.0)
    chosen = _choose([one for one in scored if one.score >= max(MIN_SCORE, MIN_OF_BEST * best)])
    findings = _findings(page, chosen, pieces)
    top = sorted((one.score for one in chosen), reverse=True)[:3]
    relevance = min(1.0, sum(top) / len(top)) if top else min(best, MIN_SCORE)
    excerpts, nearest = await proposed_from(page, embedder)
    told = {
        normal_quote(finding.quote) for finding in findings
    }  # a report has each quote once: with its kind
    excerpts = [one for one in excerpts if normal_quote(one.quote) not in told]
    both = sorted([*excerpts, *findings], key=lambda finding: -finding.score)
    return _extraction(both, max(relevance, nearest) if both else relevance)


def _extraction(findings: list[ProposedFinding], relevance: float) -> Extraction:
    return Extraction(
        by="extractive",
        relevance=round(relevance, 2),
        confidence=round(min(0.9, relevance * (0.6 + 0.1 * len(findings))), 2) if findings else 0.0,
        summary=_summary(findings),
        findings=findings,
    )


def _quotable(page: PageView, pieces: list[Unit]) -> list[Unit]:
    goal = question_of(page.purpose.goal, page.purpose.task)
    return [unit for unit in pieces if not is_furniture(unit.text, goal)]


def _choose(scored: list[Scored]) -> list[Scored]:
    """The best sentences that differ from each other, in page order."""
    chosen: list[Scored] = []
    rest = sorted(scored, key=lambda one: -one.score)
    while rest and len(chosen) < MAX_SENTENCES:
        known = {id(one): max((cosine(one.vector, c.vector) for c in chosen), default=0.0) for one in rest}
        rest = [one for one in rest if known[id(one)] < _SAME]
        if not rest:
            break
        best = max(rest, key=lambda one: one.score - _DIVERSITY * known[id(one)])
        chosen.append(best)
        rest.remove(best)
    return sorted(chosen, key=lambda one: one.unit.start)


def _findings(page: PageView, chosen: list[Scored], pieces: list[Unit]) -> list[ProposedFinding]:
    """Findings of the chosen sentences, best first.

    A quote includes the sentence before it if a reader needs that one, and neighbours are joined.
    """
    places = {unit.start: i for i, unit in enumerate(pieces)}
    spans: list[tuple[Unit, int, int, float]] = []
    for scored in chosen:
        start, end = _start_with_support(scored.unit, pieces, places), scored.unit.end
        if spans and _joins(spans[-1], scored.unit, start):
            unit, first, _, score = spans.pop()
            spans.append((unit, first, end, max(score, scored.score)))
        else:
            spans.append((scored.unit, max(start, spans[-1][2] if spans else 0), end, scored.score))
    found = [_finding(page, unit, start, end, score) for unit, start, end, score in spans]
    return sorted(found, key=lambda finding: -finding.score)[:MAX_FINDINGS]


def _start_with_support(unit: Unit, pieces: list[Unit], places: dict[int, int]) -> int:
    """Where the quote of a unit starts: with the sentence that it needs, or with the row above a very short row."""
    i = places[unit.start]
    before = pieces[i - 1] if i else None
    needs = unit.leans or (unit.form == "row" and len(unit.text.split()) < SHORT_ROW_WORDS)
    if before and needs and before.block == unit.block and unit.end - before.start <= MAX_QUOTE_CHARS:
        return before.start
    return unit.start


def _joins(last: tuple[Unit, int, int, float], unit: Unit, start: int) -> bool:
    before, first, end, _ = last
    if before.block != unit.block or unit.form == "item" or unit.end - first > MAX_QUOTE_CHARS:
        return False
    return start - end <= 2


def _finding(page: PageView, unit: Unit, start: int, end: int, score: float) -> ProposedFinding:
    quote = page.markdown[start:end].strip()
    text = _row_text(quote) if unit.form == "row" else plain(quote)
    heading = unit.heading.rsplit(" > ", 1)[-1]
    claim = f"{heading}: {text}" if unit.form != "sentence" and heading else text
    return ProposedFinding(
        kind=finding_kind(claim, page.purpose.intent),
        claim=claim,
        quote=quote,
        heading=unit.heading,
        score=round(score, 3),
    )


def _row_text(rows: str) -> str:
    """Table rows as text, with dashes between cells and semicolons between rows."""
    texts = (
        " – ".join(cell for cell in (plain(part) for part in row.strip().strip("|").split("|")) if cell)
        for row in rows.splitlines()
        if not RULE.fullmatch(row)
    )
    return "; ".join(texts)


def _summary(findings: list[ProposedFinding]) -> str:
    """The best finding, and the next one if both are short."""
    text = ""
    for finding in findings[:2]:
        longer = f"{text} {finding.claim}".strip()
        if text and len(longer) > SUMMARY_CHARS:
            break
        text = longer
    return text if len(text) <= SUMMARY_CHARS else text[: SUMMARY_CHARS - 1].rsplit(" ", 1)[0] + "…"
