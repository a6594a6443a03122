"""Phase 2 in the report: the sections Recommendation and Price Assessment, and the result for programs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from planner.goal.product_kind import wants_cheap, wants_cheapest
from planner.money.rates import Rates
from planner.offers.recommendation import cheaper_untaken, price_text, ranked_recommendation
from planner.offers.vendor_candidates import known_vendors
from planner.offers.vendor_rounds import ENDINGS
from planner.reports.shopping.price_report import price_assessment
from planner.reports.sources.citations import Citations, Cited
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.phase2 import Alternative, Check, OfferView, Phase2, Phase2Result
from research_crawler.core.models.reports.drafts import (
    AlternativePick,
    RecommendationDraft,
    RecommendationView,
    Sentence,
)
from research_crawler.core.text.plain_text import clean_line
from research_crawler.core.vendors import NO_CATALOGUE, Catalogue
from research_crawler.core.web.urls import canonical_url
from research_crawler.text.writing.markdown import address, escape_cell, escape_markdown
from research_crawler.text.writing.messages import ENGLISH_MESSAGES, Messages, catalogue
from research_crawler.text.writing.rewording import reworded

MAX_OFFERS_SHOWN = 12
"""Most rows of a report's table of offers."""
MAX_SHOPS_NAMED = 20
"""Most shops that are named as not asked: as many as a job may list."""


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
    shops: Mapping[str, str] = field(default_factory=dict)
    """Names of known shops by host."""
    not_asked: Sequence[str] = ()
    """Hosts of the known shops of the buyer's country that were not asked."""
    answered: int = 0
    """How many shops answered."""
    asked: int = 0
    """How many were asked, those that failed too."""

    def shop(self, host: str) -> str:
        """A shop as people call it; its host if nobody has told its name."""
        return self.shops.get(host, host)

    @property
    def cited(self) -> list[Cited]:
        """All sentences that cite sources."""
        return [*self.reasons, *self.cautions, *[cited for _, cited in self.prices if cited]]


def recommended(
    view: RecommendationView,
    draft: RecommendationDraft,
    citations: Citations,
    rates: Rates,
    catalogue: Catalogue = NO_CATALOGUE,
    not_asked: Sequence[str] = (),
) -> Recommended:
    """A brain's recommendation, without sentences that have no valid evidence.

    Args:
        catalogue: to call shops by their names.
        not_asked: hosts of the shops that could have been asked too.
    """
    if draft.product is not None and any(offer.doubtful for offer in view.offers[draft.product :][:1]):
        draft = ranked_recommendation(view, draft.by)  # a price that is hard to believe is not recommended
    index = draft.product
    chosen = view.offers[index] if index is not None and 0 <= index < len(view.offers) else None
    reasons = citations.cite(draft.reasons) if chosen else []
    cautions = citations.cite(draft.cautions) if chosen else []
    prices = [
        (sentence, next(iter(citations.cite([sentence])), None) if sentence.evidence else None)
        for sentence in price_assessment(view, chosen, rates)
    ]
    others = [
        pick
        for pick in draft.alternatives
        if 0 <= pick.product < len(view.offers) and not view.offers[pick.product].doubtful
    ]
    mark = Messages(view.language)("mark_approximate" if rates.approximate else "mark_converted")
    known = {vendor.host: vendor.name for vendor in reversed(catalogue.vendors)}
    return Recommended(view, draft.by, chosen, reasons, cautions, prices, others, mark, known, not_asked)


def shops_not_asked(job: Job, phase2: Phase2, catalogue: Catalogue) -> list[str]:
    """Hosts of the shops that phase 2 knew and did not ask, and of those of the catalogue for the buyer's country."""
    asked = {vendor.host for vendor in phase2.vendors if vendor.stage in ("answered", "failed")}
    known = [*phase2.vendors, *known_vendors(job, catalogue)]
    return [host for host in dict.fromkeys(vendor.host for vendor in known) if host not in asked]


def phase2_record(
    job: Job, phase2: Phase2, recommendation: Recommended, translate: Messages = ENGLISH_MESSAGES
) -> Phase2Result:
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
        recommendation=recommendation_text(recommendation, translate, clean_line),
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


def recommendation_text(
    recommendation: Recommended,
    translate: Messages = ENGLISH_MESSAGES,
    escape: Callable[[str], str] = escape_markdown,
) -> str:
    """The recommendation as running text, for documents; with `clean_line` as `escape`, for programs."""
    if recommendation.chosen is None:
        return _none(recommendation, translate)
    sentences = [s.with_marks(escape) for s in [*recommendation.reasons, *recommendation.cautions]]
    notes = [
        *_without_finding(recommendation, translate, escape),
        *([translate("violates")] if _violated(recommendation.chosen.checks) else []),
    ]
    return " ".join([f"{_offer_line(recommendation, translate, escape=escape)}.", *sentences, *notes])


def opening_sentence(recommendation: Recommended, translate: Messages = ENGLISH_MESSAGES) -> str:
    """The recommended offer in one line, with which the answer begins; "" if none is recommended."""
    if recommendation.chosen is None:
        return ""
    product = recommendation.chosen.product
    violates = f" {translate('violates')}" if _violated(recommendation.chosen.checks) else ""
    known = recommendation.asked + len(recommendation.not_asked)
    of_shops = (
        f" {translate('of_shops', n=recommendation.answered, known=known)}"
        if recommendation.not_asked
        else ""
    )
    offer = _offer_line(recommendation, translate, named=False)
    return f"**{escape_markdown(product.name)}** – {offer}{of_shops}.{violates}"


def assessment_text(recommendation: Recommended, escape: Callable[[str], str] = escape_markdown) -> str:
    """The price assessment as running text, for documents; with `clean_line` as `escape`, for programs."""
    return " ".join(
        cited.with_marks(escape) if cited else escape(s.text) for s, cited in recommendation.prices
    )


def recommendation_section(
    phase2: Phase2, recommendation: Recommended, translate: Messages = ENGLISH_MESSAGES
) -> str:
    """The section Recommendation: the product with reasons, requirements, alternatives, all offers, vendors."""
    parts = [_none(recommendation, translate)]
    if recommendation.chosen:
        product = recommendation.chosen.product
        parts = [
            f"**{escape_markdown(product.name)}** – {_offer_line(recommendation, translate, named=False)}\n"
            f"{address(product.url)}",
            _bullets(s.with_marks() for s in recommendation.reasons),
            _bullets(_without_finding(recommendation, translate)),
            _bullets(s.with_marks() for s in recommendation.cautions),
            translate("violates") if _violated(recommendation.chosen.checks) else "",
            _requirements(recommendation.chosen.checks, translate),
        ]
    others = [_alternative(recommendation.view, pick) for pick in recommendation.alternatives]
    if others:
        lines = (_alternative_line(other, recommendation, translate) for other in others)
        parts.append(f"### {translate('alternatives')}\n\n{_bullets(lines)}")
    if recommendation.view.offers:
        table = _offers(recommendation, translate)
        parts.append(f"### {translate('offers')}\n\n{table}")
    parts.append(f"### {translate('vendors')}\n\n{_vendors(phase2, recommendation, translate)}")
    return "\n\n".join(part for part in parts if part)


def _without_finding(
    recommendation: Recommended, translate: Messages, escape: Callable[[str], str] = escape_markdown
) -> list[str]:
    """What speaks for the offer besides findings: the caller's context. If there is nothing at all, that it is so."""
    offer = recommendation.chosen
    if offer is None:
        return []
    notes = []
    if offer.named_before:
        notes.append(translate("context_recommends", names=escape(offer.named_before)))
    if offer.specs_before:
        notes.append(translate("context_specs", specs=escape(", ".join(offer.specs_before))))
    notes = notes or ([] if recommendation.reasons else [translate("not_named")])
    return [*notes, *_cheaper(offer, recommendation, translate, escape)]


def _cheaper(
    chosen: OfferView, recommendation: Recommended, translate: Messages, escape: Callable[[str], str]
) -> list[str]:
    """The cheaper offers that were not taken where the cheapest was asked for, in one sentence."""
    others = []
    for offer, why in cheaper_untaken(chosen, recommendation.view, translate):
        vendor = escape(recommendation.shop(offer.product.vendor))
        price = translate("at_vendor", price=escape(price_text(offer.product)), vendor=vendor)
        others.append(f"{escape(offer.product.name)} – {price}{f' ({escape(why)})' if why else ''}")
    return [translate("cheaper_untaken", offers="; ".join(others))] if others else []


def assessment_section(recommendation: Recommended, translate: Messages = ENGLISH_MESSAGES) -> str:
    """The section Price Assessment."""
    return assessment_text(recommendation) or translate("no_price")


def _none(recommendation: Recommended, translate: Messages) -> str:
    return translate("none_chosen" if recommendation.view.offers else "no_offer")


def _table_head(translate: Messages, *keys: str) -> list[str]:
    return [f"| {' | '.join(map(translate, keys))} |", "|" + "---|" * len(keys)]


def _requirements(checks: Sequence[Check], translate: Messages) -> str:
    rows = [
        f"| {escape_cell(c.requirement)} | {_verdict(c, translate)} "
        f"| {escape_cell(_page_says(c.evidence, translate)) or '–'} |"
        for c in checks
    ]
    return (
        "\n".join([*_table_head(translate, "requirement", "verdict", "vendor_says"), *rows]) if rows else ""
    )


def _page_says(evidence: str, translate: Messages) -> str:
    """What a vendor's page says: its own words as they are, ours in the language of the report."""
    if evidence.startswith("“") and evidence.endswith("”"):
        return translate("quoted", text=evidence[1:-1])
    key = evidence.replace(" ", "_")
    return translate(key) if key in catalogue() else reworded(evidence, translate.language) or evidence


def _verdict(check: Check, translate: Messages) -> str:
    """A verdict as a buyer reads it: no page verifies that a thing is cheap, its price was compared."""
    if check.kind == "price" and check.state != "unknown" and wants_cheap(check.requirement):
        return translate(f"{'cheapest' if wants_cheapest(check.requirement) else 'cheap'}_{check.state}")
    return translate.word(check.state)


def _offers(recommendation: Recommended, translate: Messages) -> str:
    offers = recommendation.view.offers
    rows = [
        f"| {escape_cell(o.product.name)} | {_price_cell(o, recommendation.converted, translate)} "
        f"| {escape_cell(recommendation.shop(o.product.vendor))} "
        f"| {translate.word(o.product.availability)} | {translate.word(o.product.condition)} |"
        for o in offers[:MAX_OFFERS_SHOWN]
    ]
    more = (
        "\n\n" + translate("more_offers", n=len(offers) - MAX_OFFERS_SHOWN)
        if len(offers) > MAX_OFFERS_SHOWN
        else ""
    )
    head = _table_head(translate, "product", "price", "vendor", "stock", "condition")
    return "\n".join([*head, *rows]) + more


def _price_cell(offer: OfferView, converted: str, translate: Messages) -> str:
    text = escape_cell(price_text(offer.product))
    if shipping := offer.product.shipping:
        text += (
            translate("plus_shipping", price=escape_cell(shipping.text))
            if shipping.amount
            else translate("free_shipping")
        )
    if member := offer.product.member_price:
        text += translate("for_members", price=escape_cell(member.text))
    if offer.doubtful:
        text += f" ({translate('doubtful_price')})"
    if offer.converted and offer.comparable is not None:
        return f"{text} (≈ {translate.number(offer.comparable, decimals=2)}, {converted})"
    return text


def _vendors(phase2: Phase2, recommendation: Recommended, translate: Messages) -> str:
    def called(host: str) -> str:
        name = recommendation.shop(host)
        return host if name == host else f"{escape_markdown(name)} ({host})"

    lines = [
        translate("offers_of", host=called(vendor.host), n=vendor.found)
        if vendor.stage == "answered"
        else translate("failed", host=called(vendor.host), reason=escape_markdown(vendor.reason.text))
        for vendor in phase2.vendors
        if vendor.stage in ("answered", "failed")
    ]
    ending = translate(f"ended_{phase2.ended}") if phase2.ended in ENDINGS else ""
    names = [escape_markdown(recommendation.shop(host)) for host in recommendation.not_asked]
    named = ", ".join(names[:MAX_SHOPS_NAMED]) + " …" * (len(names) > MAX_SHOPS_NAMED)
    missing = translate("shops_not_asked", names=named) if names else ""
    below = " ".join(part for part in (ending, missing) if part)
    return (_bullets(lines) or translate("no_vendor_asked")) + (f"\n\n{below}" if below else "")


def _offer_line(
    recommendation: Recommended,
    translate: Messages,
    *,
    named: bool = True,
    escape: Callable[[str], str] = escape_markdown,
) -> str:
    """The recommended product with its price and shop."""
    assert recommendation.chosen
    product = recommendation.chosen.product
    shop = escape(recommendation.shop(product.vendor))
    facts = [translate.word(fact) for fact in (product.availability, product.condition) if fact != "unknown"]
    name = f"{escape(product.name)} – " if named else ""
    price = translate("at_vendor", price=escape(price_text(product)), vendor=shop)
    return f"{name}{', '.join([price, *facts])}"


def _alternative(view: RecommendationView, pick: AlternativePick) -> Alternative:
    product = view.offers[pick.product].product
    return Alternative(
        name=product.name,
        vendor=product.vendor,
        url=canonical_url(product.url),
        price=price_text(product),
        why=pick.why,
    )


def _alternative_line(alternative: Alternative, recommendation: Recommended, translate: Messages) -> str:
    why = f" ({escape_markdown(alternative.why)})" if alternative.why else ""
    vendor = escape_markdown(recommendation.shop(alternative.vendor))
    price = translate("at_vendor", price=escape_markdown(alternative.price), vendor=vendor)
    return f"{escape_markdown(alternative.name)} – {price}{why}: {address(alternative.url)}"


def _violated(checks: Sequence[Check]) -> bool:
    return any(check.state == "violated" for check in checks)


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
