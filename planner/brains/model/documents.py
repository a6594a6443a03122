"""The documents that each role is shown; text from the web stands between marks that nobody can guess."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from planner.brains.model.document_parts import UNKNOWN as _UNKNOWN
from planner.brains.model.document_parts import evidence_line, shortened
from planner.brains.model.document_parts import goal_text as _goal
from planner.brains.questions import question_of
from prompts.fences import fenced, fenced_lines, marks
from prompts.loader import Document, Entries, estimate_tokens
from research_crawler.core.models.decisions import PageView, ScoreRequest
from research_crawler.core.models.drafts import RecommendationView
from research_crawler.core.models.events import SearchResult
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.pages import Passage
from research_crawler.core.models.phase2 import OfferView
from research_crawler.text.likeness import Bm25
from research_crawler.text.markdown_blocks.sections import MOST_TOKENS, joined, sections

_SNIPPET_CHARS = 240
_FOR_RANKERS: Final = re.compile(r"(?<=[?.!]) \([^()]*\)\Z")
"""Words that a sub-question has for those who compare words."""
_PARTS = 4
"""A page is shown in at least so many sections, so that a part of it can be left out."""
FIELD_DESCRIPTIONS = {
    "key_facts": "key_facts: what the page says that bears on the goal",
    "recommendations": "recommendations: advice it gives",
    "sources_cited": "sources_cited: other sources it refers to",
    "recommended_products": "recommended_products: products that are praised, by name",
    "price_expectations": "price_expectations: what such things cost",
    "specs_to_look_for": "specs_to_look_for: features that people advise to look for",
    "warnings": "warnings: what to avoid, what goes wrong",
    "vendors_mentioned": "vendors_mentioned: where people say to buy",
}
"""The extractor's fields, as its prompt describes them."""


def scoring_documents(
    request: ScoreRequest, results: Sequence[SearchResult], fence: str
) -> dict[str, Document]:
    """Inputs of the scorer's prompt; results are numbered R1, R2 …"""
    lines = [
        f"R{n}. {shortened(r.title)} | {r.url} | {shortened(r.snippet, _SNIPPET_CHARS)}"
        for n, r in enumerate(results, start=1)
    ]
    worth = [1 - n / (len(lines) + 1) for n in range(len(lines))]
    return {
        "fence": marks(fence),
        "goal": _goal(request.goal, request.task),
        "today": request.today or _UNKNOWN,
        "intent": request.intent,
        "context": request.context_document or request.topic,
        "search_results": fenced(fence, Entries(items=lines, worth=worth)),
    }


def extraction_documents(
    page: PageView, fields: Iterable[str], fence: str, page_tokens: int
) -> dict[str, Document]:
    """Inputs of the extractor's prompt: the passages that fit, in page order and joined to sections."""
    question = question_of(page.purpose.goal, page.purpose.task)
    passages = _best_passages(page, question, page_tokens)
    most = min(MOST_TOKENS, max(1, page_tokens // _PARTS))
    texts = [
        _section(joined(page.markdown, [passages[i] for i in places]))
        for places in sections(page.markdown, passages, least=most // 2, most=most)
    ]
    head = f"Title: {shortened(page.title) or '(untitled)'}\nPublished: {page.published or 'unknown'}\n"
    if page.outline:
        head += "Outline:\n" + "\n".join(page.outline) + "\n"
    return {
        "fence": marks(fence),
        "goal": _goal(page.purpose.goal, page.purpose.task) + _asked(page.purpose.questions, fence),
        "intent": page.purpose.intent,
        "url": fenced_lines(fence, [page.url]),
        "what_to_extract": "\n".join(f"- {FIELD_DESCRIPTIONS[field]}" for field in fields),
        "page_content": fenced(
            fence, Entries(items=texts, worth=_worth(texts, question, page_tokens)), head=head
        ),
    }


def recommendation_documents(
    view: RecommendationView, offers: Sequence[OfferView], findings: Sequence[Finding], fence: str
) -> dict[str, Document]:
    """Inputs of the recommender's prompt; offers are numbered P1, P2 …, evidence E1, E2 …"""
    learned = view.price_range
    lines = [f"P{n}. {_offer(offer)}" for n, offer in enumerate(offers, start=1)]
    worth = [1 - n / (len(lines) + 1) for n in range(len(lines))]
    return {
        "fence": marks(fence),
        "goal": _goal(view.goal, view.task),
        "today": view.today or _UNKNOWN,
        "language": view.language,
        "priorities": ", ".join(view.priorities) or "(none in the goal)",
        "price_range": fenced_lines(
            fence, [f"{learned.min:g} to {learned.max:g} {learned.currency}"] if learned.max else []
        ),
        "offers": fenced(fence, Entries(items=lines, worth=worth)),
        "evidence": fenced(fence, _evidence(findings)),
    }


def _asked(questions: Sequence[str], fence: str) -> str:
    """The open sub-questions, between marks: a model that has read pages may have worded them."""
    if not questions:
        return ""
    lines = fenced_lines(fence, [f"- {shortened(_FOR_RANKERS.sub('', question))}" for question in questions])
    return f"\nSub-questions that are still open:\n{lines.without(set())}"


def _section(section: Passage) -> str:
    """A section's text under the path of its headings, unless it is the first line itself."""
    heading, _, _ = section.text.partition("\n")
    title = section.heading.rpartition(" > ")[2]
    return section.text if not title or title in heading else f"[Section: {section.heading}]\n{section.text}"


def _offer(offer: OfferView) -> str:
    product = offer.product
    checks = "; ".join(f"{check.requirement}: {check.state}" for check in offer.checks)
    specs = "; ".join(f"{name}: {value}" for name, value in product.specs.items())
    parts = [
        shortened(product.name),
        f"{product.price or product.price_numeric or 'no price shown'} {product.currency}".rstrip(),
        product.vendor,
        product.availability.replace("_", " "),
        product.condition,
        checks,
        f"recommended by the caller's context as {shortened(offer.named_before)}"
        if offer.named_before
        else "",
        shortened(specs, _SNIPPET_CHARS),
    ]
    return " | ".join(part for part in parts if part)


def _evidence(findings: Sequence[Finding]) -> Entries:
    items = [f"E{n}. {evidence_line(finding)}" for n, finding in enumerate(findings, start=1)]
    return Entries(items=items, worth=[finding.score for finding in findings])


def _best_passages(page: PageView, question: str, most_tokens: int) -> list[Passage]:
    passages = page.passages or [
        Passage(start=0, end=len(page.markdown), text=page.markdown, tokens=estimate_tokens(page.markdown))
    ]
    if sum(passage.tokens for passage in passages) <= most_tokens:
        return list(passages)
    worth = _worth_of([passage.text for passage in passages], question)
    chosen: set[int] = set()
    tokens_left = most_tokens
    for i in sorted(range(len(passages)), key=lambda i: -worth[i]):
        if passages[i].tokens <= tokens_left:
            chosen.add(i)
            tokens_left -= passages[i].tokens
    if not chosen:
        best = passages[max(range(len(passages)), key=lambda i: worth[i])]
        return [best.changed(text=best.text[: most_tokens * 3])]
    return [passage for i, passage in enumerate(passages) if i in chosen]


def _worth(texts: Sequence[str], question: str, page_tokens: int) -> list[float]:
    """As `_worth_of`; texts that fit together are not compared, because none of them will be left out."""
    if sum(map(estimate_tokens, texts)) > page_tokens:
        return _worth_of(texts, question)
    return [1 - place / (len(texts) + 1) for place in range(len(texts))]


def _worth_of(texts: Sequence[str], question: str) -> list[float]:
    """The BM25 scores of texts for the question; of equal ones, the first is worth more."""
    scores = Bm25(texts).scores(question)
    top = max(scores, default=0.0) or 1.0
    return [score / top - i * 1e-6 for i, score in enumerate(scores)]
