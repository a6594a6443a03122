"""Phase 2 in the report: the sections Recommendation and Price Assessment, and the result for programs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from planner.money.rates import Rates
from planner.offers.recommendation import price_text
from planner.offers.rounds import ENDINGS
from planner.reports.citations import Citations, Cited
from planner.reports.price_report import price_assessment
from planner.text.markdown import address, cell, inert
from research_crawler.core.models.decisions import (
    AlternativePick,
    RecommendationDraft,
    RecommendationView,
    Sentence,
)
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.phase2 import Alternative, Check, OfferView, Phase2, Phase2Result
from research_crawler.core.models.products import Product
from research_crawler.core.plain_text import clean_line
from research_crawler.core.web.urls import canonical_url

MAX_OFFERS_SHOWN = 12
_NO_OFFER = "No vendor gave an offer that could be recommended."
NONE_CHOSEN = "None of the offers fits the goal well enough to be recommended."
NOT_NAMED = "No finding of the research recommends this offer; it was chosen only by the requirements, stock and price."
VIOLATES = "It is the best offer that was found, but it does not meet every requirement."


@dataclass(frozen=True)
class Recommended:
    """The recommendation with its citations, ready to be rendered."""

    view: RecommendationView
    by: str = ""
    """The brain that chose the offer."""
    chosen: OfferView | None = None
    reasons: list[Cited] = field(default_factory=list)
    cautions: list[Cited] = field(default_factory=list)
    prices: list[tuple[Sentence, Cited | None]] = field(default_factory=list)
    """Sentences about prices, each with its citations; most of them are about offers and have none."""
    alternatives: list[AlternativePick] = field(default_factory=list)
    converted: str = "converted"
    """The remark at offers whose price was converted for the comparison."""

    @property
    def cited(self) -> list[Cited]:
        """All sentences that cite sources."""
        return [*self.reasons, *self.cautions, *[cited for _, cited in self.prices if cited]]


def recommended(
    view: RecommendationView, draft: RecommendationDraft, citations: Citations, rates: Rates
) -> Recommended:
    """A brain's recommendation, without sentences that have no valid evidence."""
    place = draft.product
    chosen = view.offers[place] if place is not None and 0 <= place < len(view.offers) else None
    reasons = citations.keep(draft.reasons) if chosen else []
    cautions = citations.keep(draft.cautions) if chosen else []
    prices = [
        (sentence, next(iter(citations.keep([sentence])), None) if sentence.evidence else None)
        for sentence in price_assessment(view, chosen, rates)
    ]
    others = [pick for pick in draft.alternatives if 0 <= pick.product < len(view.offers)]
    return Recommended(view, draft.by, chosen, reasons, cautions, prices, others, rates.short_mark)


def result_of(job: Job, phase2: Phase2, recommendation: Recommended) -> Phase2Result:
    """The result of phase 2 for programs."""
    chosen = recommendation.chosen
    products = [offer.product for offer in recommendation.view.offers]
    if chosen:
        products = [chosen.product, *[product for product in products if product is not chosen.product]]
    answered = [vendor.host for vendor in phase2.vendors if vendor.stage == "answered"]
    failed = [f"{vendor.host}: {vendor.reason}" for vendor in phase2.vendors if vendor.stage == "failed"]
    return Phase2Result(
        success=bool(products),
        products=products,
        recommendation=recommendation_text(recommendation, clean_line),
        price_assessment=assessment_text(recommendation, clean_line),
        vendors_visited=answered,
        vendors_failed=failed,
        elapsed_seconds=round(max(0, phase2.finished_ms - phase2.started_ms) / 1000, 3),
        recommended=chosen.product if chosen else None,
        constraints=chosen.checks if chosen else [],
        alternatives=[_alternative(recommendation.view, pick) for pick in recommendation.alternatives],
        region=job.inputs.region,
        currency=job.inputs.currency,
        search_terms=phase2.terms,
    )


def recommendation_text(recommendation: Recommended, escape: Callable[[str], str] = inert) -> str:
    """The recommendation as running text, for documents; with `clean_line` as `escape`, for programs."""
    if recommendation.chosen is None:
        return NONE_CHOSEN if recommendation.view.offers else _NO_OFFER
    sentences = [s.written(escape) for s in [*recommendation.reasons, *recommendation.cautions]]
    notes = [
        *([] if recommendation.reasons else [NOT_NAMED]),
        *([VIOLATES] if _violated(recommendation.chosen.checks) else []),
    ]
    return " ".join([f"{_offer_line(recommendation.chosen.product, escape=escape)}.", *sentences, *notes])


def assessment_text(recommendation: Recommended, escape: Callable[[str], str] = inert) -> str:
    """The price assessment as running text, for documents; with `clean_line` as `escape`, for programs."""
    return " ".join(cited.written(escape) if cited else escape(s.text) for s, cited in recommendation.prices)


def recommendation_section(phase2: Phase2, recommendation: Recommended) -> str:
    """The section Recommendation: the product with reasons, requirements, alternatives, all offers, vendors."""
    parts = [NONE_CHOSEN if recommendation.view.offers else _NO_OFFER]
    if recommendation.chosen:
        product = recommendation.chosen.product
        parts = [
            f"**{inert(product.name)}** – {_offer_line(product, named=False)}\n{address(product.url)}",
            _bullets(s.written() for s in recommendation.reasons) or NOT_NAMED,
            _bullets(s.written() for s in recommendation.cautions),
            VIOLATES if _violated(recommendation.chosen.checks) else "",
            _requirements(recommendation.chosen.checks),
        ]
    others = [_alternative(recommendation.view, pick) for pick in recommendation.alternatives]
    if others:
        parts.append(f"### Alternatives\n\n{_bullets(map(_alternative_line, others))}")
    if recommendation.view.offers:
        parts.append(f"### Offers\n\n{_offers(recommendation.view.offers, recommendation.converted)}")
    parts.append(f"### Vendors\n\n{_vendors(phase2)}")
    return "\n\n".join(part for part in parts if part)


def assessment_section(recommendation: Recommended) -> str:
    """The section Price Assessment."""
    return assessment_text(recommendation) or "There is no price to assess."


def _requirements(checks: Sequence[Check]) -> str:
    rows = [f"| {cell(c.requirement)} | {c.state} | {cell(c.evidence) or '–'} |" for c in checks]
    return (
        "\n".join(["| Requirement | Verdict | What the vendor's page says |", "|---|---|---|", *rows])
        if rows
        else ""
    )


def _offers(offers: Sequence[OfferView], converted: str) -> str:
    rows = [
        f"| {cell(o.product.name)} | {_pricecell(o, converted)} | {cell(o.product.vendor)} "
        f"| {_words(o.product.availability)} | {_words(o.product.condition)} |"
        for o in offers[:MAX_OFFERS_SHOWN]
    ]
    more = f"\n\n… and {len(offers) - MAX_OFFERS_SHOWN} more." if len(offers) > MAX_OFFERS_SHOWN else ""
    head = ["| Product | Price | Vendor | Stock | Condition |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows]) + more


def _pricecell(offer: OfferView, converted: str) -> str:
    text = cell(price_text(offer.product))
    if shipping := offer.product.shipping:
        text += f" + {cell(shipping.text)} shipping" if shipping.amount else ", free shipping"
    if offer.converted and offer.comparable is not None:
        return f"{text} (≈ {offer.comparable:,.2f}, {converted})"
    return text


def _vendors(phase2: Phase2) -> str:
    lines = [
        f"{vendor.host}: {vendor.found} offers"
        if vendor.stage == "answered"
        else f"{vendor.host}: failed ({inert(vendor.reason.text)})"
        for vendor in phase2.vendors
        if vendor.stage in ("answered", "failed")
    ]
    ending = ENDINGS.get(phase2.ended, "")
    return (_bullets(lines) or "No vendor was asked.") + (f"\n\nIt ended because {ending}." if ending else "")


def _offer_line(product: Product, *, named: bool = True, escape: Callable[[str], str] = inert) -> str:
    stock, condition = _words(product.availability), _words(product.condition)
    facts = [fact for fact in (stock, condition) if fact != "unknown"]
    name = f"{escape(product.name)} – " if named else ""
    return f"{name}{escape(price_text(product))} at {escape(product.vendor)}" + (
        f", {', '.join(facts)}" if facts else ""
    )


def _alternative(view: RecommendationView, pick: AlternativePick) -> Alternative:
    product = view.offers[pick.product].product
    return Alternative(
        name=product.name,
        vendor=product.vendor,
        url=canonical_url(product.url),
        price=price_text(product),
        why=pick.why,
    )


def _alternative_line(other: Alternative) -> str:
    why = f" ({inert(other.why)})" if other.why else ""
    return f"{inert(other.name)} – {inert(other.price)} at {inert(other.vendor)}{why}: {address(other.url)}"


def _violated(checks: Sequence[Check]) -> bool:
    return any(check.state == "violated" for check in checks)


def _words(value: str) -> str:
    return value.replace("_", " ")


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
