"""Phase 2 in the report: the sections Recommendation and Price Assessment, and the result for programs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from planner.money.rates import Rates
from planner.offers.recommendation import price_text
from planner.offers.rounds import ENDINGS
from planner.reports.citations import Citations, Cited
from planner.reports.price_report import price_assessment
from planner.text.markdown import inert
from research_crawler.core.models.decisions import (
    AlternativePick,
    RecommendationDraft,
    RecommendationView,
    Sentence,
)
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.phase2 import Alternative, Check, OfferView, Phase2, Phase2Result
from research_crawler.core.models.products import Product
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
        recommendation=recommendation_text(recommendation),
        price_assessment=assessment_text(recommendation),
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


def recommendation_text(recommendation: Recommended) -> str:
    """The recommendation as running text."""
    if recommendation.chosen is None:
        return NONE_CHOSEN if recommendation.view.offers else _NO_OFFER
    sentences = [f"{inert(s.text)} {s.marks}" for s in [*recommendation.reasons, *recommendation.cautions]]
    notes = [
        *_without_finding(recommendation),
        *([VIOLATES] if _violated(recommendation.chosen.checks) else []),
    ]
    return " ".join([f"{_offer_line(recommendation.chosen.product)}.", *sentences, *notes])


def assessment_text(recommendation: Recommended) -> str:
    """The price assessment as running text."""
    return " ".join(
        f"{inert(s.text)} {cited.marks if cited else ''}".strip() for s, cited in recommendation.prices
    )


def recommendation_section(phase2: Phase2, recommendation: Recommended) -> str:
    """The section Recommendation: the product with reasons, requirements, alternatives, all offers, vendors."""
    parts = [NONE_CHOSEN if recommendation.view.offers else _NO_OFFER]
    if recommendation.chosen:
        product = recommendation.chosen.product
        parts = [
            f"**{inert(product.name)}** – {_offer_line(product, named=False)}\n{product.url}",
            _bullets(f"{inert(s.text)} {s.marks}" for s in recommendation.reasons),
            _bullets(_without_finding(recommendation)),
            _bullets(f"{inert(s.text)} {s.marks}" for s in recommendation.cautions),
            VIOLATES if _violated(recommendation.chosen.checks) else "",
            _requirements(recommendation.chosen.checks),
        ]
    others = [_alternative(recommendation.view, pick) for pick in recommendation.alternatives]
    if others:
        lines = (
            f"{inert(o.name)} – {o.price} at {o.vendor}{f' ({inert(o.why)})' if o.why else ''}: {o.url}"
            for o in others
        )
        parts.append(f"### Alternatives\n\n{_bullets(lines)}")
    if recommendation.view.offers:
        parts.append(f"### Offers\n\n{_offers(recommendation.view.offers, recommendation.converted)}")
    parts.append(f"### Vendors\n\n{_vendors(phase2)}")
    return "\n\n".join(part for part in parts if part)


def _without_finding(recommendation: Recommended) -> list[str]:
    """What speaks for the offer besides findings: the caller's context. If there is nothing at all, that it is so."""
    offer = recommendation.chosen
    if offer is None:
        return []
    notes = []
    if offer.named_before:
        notes.append(f"The context that you gave recommends it by name ({inert(offer.named_before)}).")
    if offer.specs_before:
        notes.append(f"It has specs that your context asks for ({inert(', '.join(offer.specs_before))}).")
    return notes or ([] if recommendation.reasons else [NOT_NAMED])


def assessment_section(recommendation: Recommended) -> str:
    """The section Price Assessment."""
    return assessment_text(recommendation) or "There is no price to assess."


def _requirements(checks: Sequence[Check]) -> str:
    rows = [f"| {_cell(c.requirement)} | {c.state} | {_cell(c.evidence) or '–'} |" for c in checks]
    return (
        "\n".join(["| Requirement | Verdict | What the vendor's page says |", "|---|---|---|", *rows])
        if rows
        else ""
    )


def _offers(offers: Sequence[OfferView], converted: str) -> str:
    rows = [
        f"| {_cell(o.product.name)} | {_price_cell(o, converted)} | {o.product.vendor} "
        f"| {_words(o.product.availability)} | {_words(o.product.condition)} |"
        for o in offers[:MAX_OFFERS_SHOWN]
    ]
    more = f"\n\n… and {len(offers) - MAX_OFFERS_SHOWN} more." if len(offers) > MAX_OFFERS_SHOWN else ""
    head = ["| Product | Price | Vendor | Stock | Condition |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows]) + more


def _price_cell(offer: OfferView, converted: str) -> str:
    text = _cell(price_text(offer.product))
    if shipping := offer.product.shipping:
        text += f" + {_cell(shipping.text)} shipping" if shipping.amount else ", free shipping"
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


def _offer_line(product: Product, *, named: bool = True) -> str:
    stock, condition = _words(product.availability), _words(product.condition)
    facts = [fact for fact in (stock, condition) if fact != "unknown"]
    name = f"{inert(product.name)} – " if named else ""
    return f"{name}{inert(price_text(product))} at {product.vendor}" + (
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


def _violated(checks: Sequence[Check]) -> bool:
    return any(check.state == "violated" for check in checks)


def _words(value: str) -> str:
    return value.replace("_", " ")


def _cell(text: str) -> str:
    return inert(text).replace("|", "\\|")


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
