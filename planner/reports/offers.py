"""Phase 2 in the report: Recommendation, Price Assessment, and the result that programs read (rows 2.4 and 5.7)."""

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
from research_crawler.core.urls import canonical_url

MAX_OFFERS_SHOWN = 12
_NO_OFFER = "No vendor gave an offer that could be recommended."
NONE_CHOSEN = "None of the offers serves the goal well enough to be recommended."
NOT_NAMED = (
    "No finding of the research speaks for this offer; what was asked for, stock and price alone chose it."
)
VIOLATES = "It is the best of what was found, and it does not meet everything that was asked for."


@dataclass(frozen=True)
class Recommended:
    """The recommendation with its citations, ready to be rendered."""

    view: RecommendationView
    by: str = ""
    """The brain that chose."""
    chosen: OfferView | None = None
    reasons: list[Cited] = field(default_factory=list)
    cautions: list[Cited] = field(default_factory=list)
    prices: list[tuple[Sentence, Cited | None]] = field(default_factory=list)
    """Sentences on prices, each with what it cites; most of them speak of offers and cite nothing."""
    alternatives: list[AlternativePick] = field(default_factory=list)
    converted: str = "converted"
    """How an offer is marked whose price was converted to be compared."""

    @property
    def cited(self) -> list[Cited]:
        """All sentences that cite sources."""
        return [*self.reasons, *self.cautions, *[cited for _, cited in self.prices if cited]]


def recommended(
    view: RecommendationView, draft: RecommendationDraft, citations: Citations, rates: Rates
) -> Recommended:
    """A brain's recommendation, with what is not evidenced left out."""
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


def result_of(job: Job, phase2: Phase2, told: Recommended) -> Phase2Result:
    """What programs get of phase 2."""
    chosen = told.chosen
    products = [offer.product for offer in told.view.offers]
    if chosen:
        products = [chosen.product, *[product for product in products if product is not chosen.product]]
    answered = [vendor.host for vendor in phase2.vendors if vendor.stage == "answered"]
    failed = [f"{vendor.host}: {vendor.reason}" for vendor in phase2.vendors if vendor.stage == "failed"]
    return Phase2Result(
        success=bool(products),
        products=products,
        recommendation=recommendation_text(told),
        price_assessment=assessment_text(told),
        vendors_visited=answered,
        vendors_failed=failed,
        elapsed_seconds=round(max(0, phase2.finished_ms - phase2.started_ms) / 1000, 3),
        recommended=chosen.product if chosen else None,
        constraints=chosen.checks if chosen else [],
        alternatives=[_alternative(told.view, pick) for pick in told.alternatives],
        region=job.inputs.region,
        currency=job.inputs.currency,
        search_terms=phase2.terms,
    )


def recommendation_text(told: Recommended) -> str:
    """The recommendation as running text."""
    if told.chosen is None:
        return NONE_CHOSEN if told.view.offers else _NO_OFFER
    sentences = [f"{inert(s.text)} {s.marks}" for s in [*told.reasons, *told.cautions]]
    notes = [*([] if told.reasons else [NOT_NAMED]), *([VIOLATES] if _violated(told.chosen.checks) else [])]
    return " ".join([f"{_offer_line(told.chosen.product)}.", *sentences, *notes])


def assessment_text(told: Recommended) -> str:
    """The price assessment as running text."""
    return " ".join(f"{inert(s.text)} {cited.marks if cited else ''}".strip() for s, cited in told.prices)


def recommendation_section(phase2: Phase2, told: Recommended) -> str:
    """The report's section: the product and why, what was asked for, alternatives, all offers, vendors."""
    parts = [NONE_CHOSEN if told.view.offers else _NO_OFFER]
    if told.chosen:
        product = told.chosen.product
        parts = [
            f"**{inert(product.name)}** – {_offer_line(product, named=False)}\n{product.url}",
            _bullets(f"{inert(s.text)} {s.marks}" for s in told.reasons) or NOT_NAMED,
            _bullets(f"{inert(s.text)} {s.marks}" for s in told.cautions),
            VIOLATES if _violated(told.chosen.checks) else "",
            _wishes(told.chosen.checks),
        ]
    others = [_alternative(told.view, pick) for pick in told.alternatives]
    if others:
        lines = (
            f"{inert(o.name)} – {o.price} at {o.vendor}{f' ({inert(o.why)})' if o.why else ''}: {o.url}"
            for o in others
        )
        parts.append(f"### Alternatives\n\n{_bullets(lines)}")
    if told.view.offers:
        parts.append(f"### Offers\n\n{_offers(told.view.offers, told.converted)}")
    parts.append(f"### Vendors\n\n{_vendors(phase2)}")
    return "\n\n".join(part for part in parts if part)


def assessment_section(told: Recommended) -> str:
    """The report's section on prices."""
    return assessment_text(told) or "There is no price to assess."


def _wishes(checks: Sequence[Check]) -> str:
    rows = [f"| {_cell(c.requirement)} | {c.state} | {_cell(c.evidence) or '–'} |" for c in checks]
    return (
        "\n".join(["| Asked for | Verdict | What the vendor's page says |", "|---|---|---|", *rows])
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
