"""The text of Price Assessment: compare the prices of offers with the range from phase 1. Pure, without a model."""

from statistics import median

from planner.money.rates import Rates
from planner.offers.recommendation import price_text, range_evidence, range_text
from research_crawler.core.models.offers.phase2 import OfferView
from research_crawler.core.models.reports.drafts import RecommendationView, Sentence
from research_crawler.core.models.reports.report import PriceRange
from research_crawler.text.writing.messages import Messages

_SAME = 0.005
"""Prices that differ by less than half a per cent count as equal."""


def price_assessment(view: RecommendationView, chosen: OfferView | None, rates: Rates) -> list[Sentence]:
    """Sentences about the prices; those about the learned range cite the findings that name it."""
    if not view.offers:
        return []
    translate = Messages(view.language)
    learned, sentences = view.price_range, []
    low = rates.convert(learned.min, learned.currency, view.currency) if learned.min is not None else None
    high = rates.convert(learned.max, learned.currency, view.currency) if learned.max is not None else None
    if low is not None and high is not None:
        indexes = range_evidence(view)
        remarks = ""
        if learned.currency != view.currency:
            span = {"low": translate.number(low), "high": translate.number(high), "currency": view.currency}
            remarks = f" (≈ {translate('range_span', **span)})"
        if learned.oldest:
            remarks += f" ({_dates(learned, translate)})"
        sentences.append(Sentence(text=_named_range(view, translate, remarks), evidence=indexes))
        sentences += _against_range(view, chosen, low, high, translate)
    else:
        sentences.append(Sentence(text=_without_range(view, translate)))
    sentences += [
        Sentence(text=text)
        for text in (_span(view, translate), *_conversions(view, rates, translate))
        if text
    ]
    return sentences


def _against_range(
    view: RecommendationView, chosen: OfferView | None, low: float, high: float, translate: Messages
) -> list[Sentence]:
    texts = []
    if chosen and chosen.comparable is not None:
        comparison = _compared(chosen.comparable, low, high, translate)
        texts.append(translate("offer_costs", price=price_text(chosen.product), comparison=comparison))
    known = [offer.comparable for offer in view.offers if offer.comparable is not None]
    inside = sum(low <= amount <= high for amount in known)
    below, above = sum(amount < low for amount in known), sum(amount > high for amount in known)
    if low == high:
        texts.append(translate("against_price", n=len(known), below=below, above=above))
    else:
        texts.append(translate("against_range", n=len(known), inside=inside, below=below, above=above))
    return [Sentence(text=text) for text in texts]


def _compared(amount: float, low: float, high: float, translate: Messages) -> str:
    if amount < low * (1 - _SAME):
        return translate("below_that", share=translate.share((low - amount) / low))
    if amount > high * (1 + _SAME):
        return translate("above_that", share=translate.share((amount - high) / high))
    return translate("in_line")


def _named_range(view: RecommendationView, translate: Messages, other: str) -> str:
    key = "pages_name" if view.range_named_by == "Pages name" else "context_names"
    return translate(key, range=range_text(view.price_range, translate), other=other)


def _dates(learned: PriceRange, translate: Messages) -> str:
    """When the pages that name the range were published."""
    if learned.oldest == learned.newest:
        return translate.day(learned.oldest)
    return translate("days", first=translate.day(learned.oldest), last=translate.day(learned.newest))


def _without_range(view: RecommendationView, translate: Messages) -> str:
    if view.price_range.min is not None:
        named = _named_range(view, translate, "").removesuffix(".")
        return translate("no_rate_for_range", named=named, currency=view.currency)
    return translate("no_range")


def _span(view: RecommendationView, translate: Messages) -> str:
    known = sorted(offer.comparable for offer in view.offers if offer.comparable is not None)
    if len(known) < 2:
        return ""
    low, high, middle = (
        translate.number(amount, decimals=2) for amount in (known[0], known[-1], median(known))
    )
    return translate("offers_cost", low=low, high=high, currency=view.currency, middle=middle)


def _conversions(view: RecommendationView, rates: Rates, translate: Messages) -> list[str]:
    """Which prices were converted, and which could not be compared."""
    texts = []
    converted = {o.product.currency for o in view.offers if o.converted and o.comparable is not None}
    learned = view.price_range
    if learned.min is not None and rates.convert(learned.min, learned.currency, view.currency) is not None:
        converted |= {learned.currency} - {view.currency}
    if converted:
        text = translate(
            "prices_converted", codes=", ".join(sorted(converted)), rate=_rate_text(rates, translate)
        )
        texts.append(f"{text} {translate('use_own_rates')}" if rates.approximate else text)
    left_out = [offer for offer in view.offers if offer.comparable is None]
    if left_out:
        codes = ", ".join(sorted({offer.product.currency for offer in left_out}))
        texts.append(translate("offers_without_rate", n=len(left_out), codes=codes))
    return texts


def _rate_text(rates: Rates, translate: Messages) -> str:
    """Where the rate of a converted amount comes from."""
    if rates.approximate:
        return translate("at_approximate_rate", origin=rates.origin)
    if rates.source:
        return translate("at_rate_of_source", source=rates.source, date=rates.date)
    return translate("at_rate", date=rates.date)
