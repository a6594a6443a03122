"""Show a brain the offers that it chooses from, and choose one with reasons if no model does."""

import re
import unicodedata
from collections.abc import Sequence

from planner.goal.goal_subject import asked_of
from planner.goal.intent import priorities
from planner.goal.product_kind import wants_cheapest
from planner.goal.report_language import report_language
from planner.goal.requirements import check, requirements_of
from planner.job.clock import date_of
from planner.money.rates import Rates
from planner.offers.naming import Names
from planner.offers.offer_ranking import (
    SECOND_HAND_CONDITIONS,
    expected_range,
    is_trusted,
    offers_of,
    thing_of,
    unmet_checks,
)
from planner.offers.price_expectations import names_end, price_sentences
from planner.offers.search_terms import generic_term
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.phase2 import OfferView
from research_crawler.core.models.offers.products import Product
from research_crawler.core.models.reports.drafts import (
    AlternativePick,
    RecommendationDraft,
    RecommendationView,
    Sentence,
)
from research_crawler.core.models.reports.report import PriceRange
from research_crawler.core.text.plain_text import clean_line
from research_crawler.text.languages.sentences import sentence_spans
from research_crawler.text.offers.purchase import says
from research_crawler.text.writing.messages import Messages

MAX_REASONS, MAX_CAUTIONS, MAX_ALTERNATIVES, MAX_QUOTED = 4, 2, 3, 220
"""Most reasons, cautions and alternatives of a recommendation, and longest quote in characters."""
FINDINGS_PER_REASON = 3
"""Most findings that a reason cites."""
_NO_RATES = Rates(date="-")


def recommendation_view(job: Job, findings: Sequence[Finding], rates: Rates) -> RecommendationView:
    """What a brain sees to choose an offer; `findings` in the order of their evidence ids."""
    expected, is_callers = expected_range(job, findings)
    return RecommendationView(
        goal=asked_of(job.inputs),
        task=job.inputs.task,
        today=date_of(job.plan.touched_ms),
        language=report_language(job.inputs.goal, job.inputs.language),
        priorities=priorities(job.inputs.goal),
        offers=offers_of(job, findings, rates),
        findings=list(findings),
        price_range=expected,
        range_named_by="The context names" if is_callers else "Pages name",
        currency=job.inputs.currency,
        generic=generic_term(job),
    )


def ranked_recommendation(view: RecommendationView, by: str) -> RecommendationDraft:
    """The best-ranked offer, with reasons that quote the findings."""
    if not view.offers or view.offers[0].doubtful:
        return RecommendationDraft(by=by)
    best = view.offers[0]
    return RecommendationDraft(
        by=by,
        product=0,
        reasons=reasons_for(best, view),
        cautions=_cautions(best, view),
        alternatives=_alternatives(view),
    )


def reasons_for(offer: OfferView, view: RecommendationView) -> list[Sentence]:
    """Why an offer is good; each reason has evidence from phase 1."""
    findings, translate = view.findings, Messages(view.language)
    reasons = []
    if offer.named:
        first = findings[offer.named[0]]
        text = translate("named", quote=_quoted(first))
        reasons.append(Sentence(text=text, evidence=offer.named[:FINDINGS_PER_REASON]))
    names = Names([offered.product for offered in view.offers], view.generic)
    other_products = [
        offered.product for offered in view.offers if thing_of(offered.product) != thing_of(offer.product)
    ]
    for index, finding in enumerate(findings):
        if len(reasons) >= MAX_REASONS - 1:
            break
        if index in offer.named or any(names.named_in(product, finding.quote) for product in other_products):
            continue
        if specs := _recommended_specs(finding, offer.product):
            text = translate("has_specs", specs=specs, quote=_quoted(finding))
            reasons.append(Sentence(text=text, evidence=[index]))
    indexes = range_evidence(view)
    if indexes and _is_within(offer, view):
        expected = range_text(view.price_range, translate)
        text = translate("within_range", price=price_text(offer.product), range=expected)
        reasons.append(Sentence(text=text, evidence=indexes))
    return reasons


def range_evidence(view: RecommendationView) -> list[int]:
    """Indexes of the findings that name the lower or upper end of the price range."""
    priced_sentences = price_sentences(view.findings, view.goal, view.language)
    return [index for index, text in priced_sentences.items() if names_end(view.price_range, text)][
        :FINDINGS_PER_REASON
    ]


def range_text(learned: PriceRange, translate: Messages) -> str:
    """A price range in words, without its dates."""
    low, high = learned.min or 0.0, learned.max or 0.0
    if low == high:
        return translate("range_about", amount=translate.number(low), currency=learned.currency)
    return translate(
        "range_span", low=translate.number(low), high=translate.number(high), currency=learned.currency
    )


def price_text(product: Product) -> str:
    """A product's price as its page writes it, with the currency if that text has none.

    A sign before the amount stands close to it, also where the page has a space: a report has `$899.99` alone.
    """
    amount = float(product.price_numeric or 0)
    text = product.price or f"{amount:,.2f}"
    if unicodedata.category(text[0]) == "Sc":
        text = text[0] + text[1:].lstrip()
    is_only_number = not re.search(r"[^\d\s.,'’]", text)
    return f"{text} {product.currency}".strip() if is_only_number else text


def _recommended_specs(finding: Finding, product: Product) -> str:
    """The specs that a finding recommends and the product has (`RTX 4060`, `16 GB`), if they are at least half."""
    if finding.kind not in ("spec_to_look_for", "recommendation"):
        return ""
    quote = finding.quote
    whole = (quote[start:end] for start, end in sentence_spans(quote))
    sentences = (text for text in whole if says("advice", text))
    specs = [
        requirement
        for text in sentences
        for requirement in requirements_of(text)
        if requirement.kind == "spec"
    ]
    recommended = [requirement for requirement in specs if any(char.isdigit() for char in requirement.text)]
    met = [
        requirement.text
        for requirement in recommended
        if check(requirement, product, _NO_RATES).state == "verified"
    ]
    return ", ".join(met) if met and len(met) * 2 >= len(recommended) else ""


def _cautions(offer: OfferView, view: RecommendationView) -> list[Sentence]:
    warnings = ((index, view.findings[index]) for index in offer.warned[:MAX_CAUTIONS])
    return [
        Sentence(text=Messages(view.language)("warned", quote=_quoted(finding)), evidence=[index])
        for index, finding in warnings
    ]


def _alternatives(view: RecommendationView) -> list[AlternativePick]:
    """Products other than the best one, each once, with how they compare to it."""
    best, taken = view.offers[0], {thing_of(view.offers[0].product)}
    picks: list[AlternativePick] = []
    for index, offer in enumerate(view.offers[1:], 1):
        if len(picks) == MAX_ALTERNATIVES:
            break
        if (
            offer.doubtful
            or thing_of(offer.product) in taken
            or any(
                check.state == "violated" and not wants_cheapest(check.requirement) for check in offer.checks
            )
        ):
            continue
        taken.add(thing_of(offer.product))
        picks.append(AlternativePick(product=index, why=_compared(offer, best, Messages(view.language))))
    return picks


def delivered_price(offer: OfferView) -> float | None:
    """The price of an offer with the shipping that its page states, in the currency of the search."""
    product, shipping = offer.product, offer.product.shipping
    if offer.comparable is None or shipping is None or not product.price_numeric:
        return offer.comparable
    if shipping.currency not in ("", product.currency):
        return offer.comparable
    return offer.comparable * (1 + float(shipping.amount) / float(product.price_numeric))


def _compared(offer: OfferView, best: OfferView, translate: Messages) -> str:
    """How an offer compares to the best one: price, condition, mentions and stock."""
    parts = []
    if (price := delivered_price(offer)) is not None and (best_price := delivered_price(best)):
        gap = price - best_price
        if abs(gap) >= 0.005 * best_price:
            parts.append(
                translate("cheaper" if gap < 0 else "dearer", share=translate.share(abs(gap) / best_price))
            )
        else:
            parts.append(translate("costs_same"))
    if (
        offer.product.condition != best.product.condition
        and offer.product.condition in SECOND_HAND_CONDITIONS
    ):
        parts.append(translate.word(offer.product.condition))
    if offer.named or offer.named_before:
        parts.append(translate("also_named"))
    if offer.warned:
        parts.append(translate("also_warned"))
    if offer.product.availability != best.product.availability:
        parts.append(translate.word(offer.product.availability))
    return ", ".join(parts)


def cheaper_untaken(
    chosen: OfferView, view: RecommendationView, translate: Messages
) -> list[tuple[OfferView, str]]:
    """The offers below the chosen one's price, cheapest first, each with why it was not taken; for the goal that asks
    for the lowest price."""
    if not any(wants_cheapest(check.requirement) for check in chosen.checks) or chosen.comparable is None:
        return []
    below = [o for o in view.offers if o.comparable is not None and o.comparable < chosen.comparable]
    below.sort(key=lambda offer: offer.comparable or 0.0)
    return [(offer, _why_untaken(offer, translate)) for offer in below[:MAX_ALTERNATIVES]]


def _why_untaken(offer: OfferView, translate: Messages) -> str:
    """What speaks against an offer that costs less; empty if nothing does."""
    product = offer.product
    parts = [translate("doubtful_price")] if offer.doubtful else []
    if not is_trusted(offer):
        parts += [translate.word("out_of_stock")] if product.in_stock is False else []
        parts += [translate.word(product.condition)] if product.condition in SECOND_HAND_CONDITIONS else []
    parts += [f"{check.requirement}: {translate.word(check.state)}" for check in unmet_checks(offer)]
    return ", ".join([*parts, *([translate("also_warned")] if offer.warned else [])])


def _quoted(finding: Finding) -> str:
    text = clean_line(finding.quote)
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED].rsplit(" ", 1)[0] + " …"


def _is_within(offer: OfferView, view: RecommendationView) -> bool:
    learned = view.price_range
    if offer.product.currency != learned.currency or learned.min is None or learned.max is None:
        return False
    return learned.min <= float(offer.product.price_numeric or 0) <= learned.max
