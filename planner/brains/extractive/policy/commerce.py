"""What an offer needs of pages: sentences that say one thing, the kind of each, and what is still missing."""

from collections.abc import Iterator, Sequence
from typing import Final

from planner.brains.question_and_outline import OFFER_NEEDS
from planner.job.completeness import USERS, WHAT_IS_GOOD, WHAT_IT_COSTS, WHAT_USERS_NAME
from planner.offers.search_terms import is_component
from research_crawler.core.models.evidence.findings import Finding, FindingKind
from research_crawler.core.models.jobs.decisions import PlannerView
from research_crawler.core.models.jobs.outline import MOST_EVIDENCE, Outline
from research_crawler.core.models.web.pages import Passage
from research_crawler.core.web.urls import slot_of
from research_crawler.extraction.products.price.prose import names_price
from research_crawler.text.languages.sentences import quotable_pieces
from research_crawler.text.languages.words import terms
from research_crawler.text.offers.product_names import product_names
from research_crawler.text.offers.purchase import says
from research_crawler.text.source_types import source_type
from research_crawler.text.writing.messages import Messages

AGREEING: Final = 2
"""If nothing else is missing, this many hosts that recommend the same model are enough."""
GAP_WORDS: Final = {WHAT_IT_COSTS: "search_price", WHAT_USERS_NAME: "search_owners"}
"""The messages with the words that a query adds to find what is missing: a query is in the language of its goal."""


def quotable_sentences(markdown: str, passages: list[Passage]) -> Iterator[tuple[int, int, str, str]]:
    """The sentences, items and rows of a page as (start, end, heading, text)."""
    for piece in quotable_pieces(markdown, passages):
        yield piece.start, piece.end, piece.heading, piece.text


def finding_kind(text: str) -> FindingKind:
    """What a text of a page says for a purchase: a price, a warning, a recommended model, what to look for."""
    if says("warning", text):
        return "warning"
    if says("praise", text) and product_names(text):
        return "recommended_product"
    if names_price(text):
        return "price_expectation"
    if says("praise", text):
        return "recommendation"
    if says("selling", text):
        return "vendor_mentioned"
    return "spec_to_look_for" if says("advice", text) or any(map(str.isdigit, text)) else "key_fact"


def commerce_gaps(view: PlannerView) -> list[str]:
    """What an offer needs and the findings do not have yet."""
    kinds = {finding.kind for finding in view.findings}
    gaps = []
    if not kinds & {"spec_to_look_for", "recommendation"}:
        gaps.append(WHAT_IS_GOOD)
    if "price_expectation" not in kinds:
        gaps.append(WHAT_IT_COSTS)
    by_users = {visit.command for visit in view.visited if visit.kind in USERS}
    by_users |= {one.command for one in view.findings} - {visit.command for visit in view.visited}
    named = (one for one in view.findings if one.kind == "recommended_product")
    if not any(one.command in by_users or source_type(one.url, one.title) in USERS for one in named):
        gaps.append(WHAT_USERS_NAME)
    return gaps


def gap_queries(first: str, gaps: Sequence[str], translate: Messages) -> list[str]:
    """The queries for what an offer still needs.

    Args:
        first: the words that they begin with.
        translate: messages in the language of the goal.
    """
    return [f"{first} {translate(GAP_WORDS[gap])}" for gap in gaps if gap in GAP_WORDS]


def agreement(view: PlannerView, translate: Messages) -> str:
    """Which hosts recommend the same model, as text; empty if no two do, or if the intent is not commerce."""
    if view.intent != "commerce":
        return ""
    named = [finding for finding in view.findings if finding.kind == "recommended_product"]
    for finding in named:
        for name in product_names(finding.claim):
            hosts = sorted({slot_of(other.url) for other in named if _names(name, other)})
            if len(hosts) >= AGREEING and not is_component(name):
                one, other = hosts[:AGREEING]
                return translate("done_agreed", one=one, other=other, product=_in_full(name, named))
    return ""


def _in_full(name: str, named: Sequence[Finding]) -> str:
    """The longest form in which a finding has a name: "Orlo Lynx 15" where a reply says "the Lynx 15"."""
    forms = (form for finding in named for form in product_names(finding.claim))
    return max((form for form in forms if set(terms(name)) <= set(terms(form))), key=len, default=name)


def _names(name: str, finding: Finding) -> bool:
    wanted = set(terms(name))
    return len(wanted) > 1 and wanted <= set(terms(finding.quote))


def offer_evidence(
    outline: Outline, findings: Sequence[Finding], gaps: Sequence[str]
) -> dict[str, list[str]]:
    """The findings for each thing that an offer needs, none for those that are still missing."""
    best = sorted(findings, key=lambda finding: -finding.score)
    return {
        leaf.id: []
        if needed in gaps
        else [finding.id for finding in best if finding.kind in kinds][:MOST_EVIDENCE]
        for leaf, (needed, kinds) in zip(outline.leaves, OFFER_NEEDS.items(), strict=False)
    }
