"""What the findings still lack for an offer, and how many hosts and new facts they have."""

from collections.abc import Sequence
from itertools import chain

from planner.brains.extractive.reading.passages import finding_text
from planner.job.completeness import USERS, WHAT_IS_GOOD, WHAT_IT_COSTS, WHAT_USERS_NAME
from planner.offers.mentions import product_names
from planner.offers.search_terms import is_component
from research_crawler.core.models.decisions import PlannerView
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import slot_of
from research_crawler.text.messages import Messages
from research_crawler.text.ranking import cosine
from research_crawler.text.source_types import source_type
from research_crawler.text.words import terms

KNOWN_SIMILARITY = 0.8
"""Cosine from which two findings state the same fact. MiniLM gives two wordings of one fact 0.75 to 0.95, and two
facts about one subject mostly under 0.7."""

AGREEING = 2
"""If nothing else is missing, this many hosts that recommend the same model are enough."""


def hosts_of(findings: Sequence[Finding]) -> set[str]:
    """The hosts that findings come from."""
    return {slot_of(finding.url) for finding in findings}


def commerce_gaps(view: PlannerView) -> list[str]:
    """What phase 2 needs and the findings do not have yet."""
    findings = view.findings
    kinds = {finding.kind for finding in findings}
    gaps = []
    if not kinds & {"spec_to_look_for", "recommendation"}:
        gaps.append(WHAT_IS_GOOD)
    if "price_expectation" not in kinds:
        gaps.append(WHAT_IT_COSTS)
    by_users = {visit.command for visit in view.visited if visit.kind in USERS}
    visited = {visit.command for visit in view.visited}
    by_users |= {finding.command for finding in findings} - visited  # findings of earlier jobs
    named = (f for f in findings if f.kind == "recommended_product")
    if not any(f.command in by_users or source_type(f.url, f.title) in USERS for f in named):
        gaps.append(WHAT_USERS_NAME)
    return gaps


def agreement(view: PlannerView, say: Messages) -> str:
    """Which hosts recommend the same model, as text; empty if no two do, or if the intent is not commerce."""
    if view.intent != "commerce":
        return ""
    named = [finding for finding in view.findings if finding.kind == "recommended_product"]
    for finding in named:
        for name in product_names(finding.claim):
            hosts = sorted({slot_of(other.url) for other in named if _names(name, other)})
            if len(hosts) >= AGREEING and not is_component(name):
                named_by = f" {say('and')} ".join(hosts[:AGREEING])
                return say("done_agreed", hosts=named_by, product=name)
    return ""


def _names(name: str, finding: Finding) -> bool:
    wanted = set(terms(name))
    return len(wanted) > 1 and wanted <= set(terms(finding.quote))


async def novelty(view: PlannerView, embedder: Embedder) -> float:
    """The share of the last round's findings that earlier pages did not have, 0 to 1.

    1 as long as there is only one round of visits.
    """
    rounds = sorted({visit.round for visit in view.visited})
    if len(rounds) < 2:
        return 1.0
    last_urls = {
        url for visit in view.visited if visit.round == rounds[-1] for url in (visit.url, visit.final_url)
    }
    new = [finding for finding in view.findings if finding.url in last_urls]
    old = [finding for finding in view.findings if finding.url not in last_urls]
    if not new:
        return 0.0
    if not old:
        return 1.0
    vectors = await embedder.embed([finding_text(finding) for finding in chain(new, old)])
    fresh, known = vectors[: len(new)], vectors[len(new) :]
    return sum(max(cosine(a, b) for b in known) < KNOWN_SIMILARITY for a in fresh) / len(new)
