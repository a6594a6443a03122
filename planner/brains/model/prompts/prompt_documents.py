"""The documents that each role is shown; text from the web stands between marks that nobody can guess."""

from collections.abc import Sequence

from planner.brains.model.prompts.document_parts import UNKNOWN as _UNKNOWN
from planner.brains.model.prompts.document_parts import by_page, evidence_line, shortened_text
from planner.brains.model.prompts.document_parts import goal_text as _goal
from prompts.fences import fenced, fenced_lines, marks
from prompts.loader import Document, Entries
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import LabelRequest
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.offers.phase2 import OfferView
from research_crawler.core.models.reports.drafts import RecommendationView

_SNIPPET_CHARS = 240
"""Longest snippet of a result that is to be labelled."""


def scoring_documents(
    request: LabelRequest, results: Sequence[SearchResult], fence: str
) -> dict[str, Document]:
    """Inputs of the scorer's prompt; results are numbered R1, R2 …"""
    lines = [
        f"R{n}. {shortened_text(r.title)} | {r.url} | {shortened_text(r.snippet, _SNIPPET_CHARS)}"
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


def _offer(offer: OfferView) -> str:
    product = offer.product
    checks = "; ".join(f"{check.requirement}: {check.state}" for check in offer.checks)
    specs = "; ".join(f"{name}: {value}" for name, value in product.specs.items())
    parts = [
        shortened_text(product.name),
        f"{product.price or product.price_numeric or 'no price shown'} {product.currency}".rstrip(),
        product.vendor,
        product.availability.replace("_", " "),
        product.condition,
        checks,
        f"recommended by the caller's context as {shortened_text(offer.named_before)}"
        if offer.named_before
        else "",
        shortened_text(specs, _SNIPPET_CHARS),
    ]
    return " | ".join(part for part in parts if part)


def _evidence(findings: Sequence[Finding]) -> Entries:
    lines = [f"E{n}. {evidence_line(finding)}" for n, finding in enumerate(findings, start=1)]
    return by_page(findings, lines, [finding.score for finding in findings])
