"""The text of Price Assessment: compare the prices of offers with the range from phase 1. Pure, without a model."""

from statistics import median

from planner.money.rates import Rates
from planner.offers.recommendation import price_text, range_places, range_text
from research_crawler.core.models.decisions import RecommendationView, Sentence
from research_crawler.core.models.phase2 import OfferView

_SAME = 0.005
"""Prices that differ by less than half a per cent count as equal."""


def price_assessment(view: RecommendationView, chosen: OfferView | None, rates: Rates) -> list[Sentence]:
    """Sentences about the prices; those about the learned range cite the findings that name it."""
    if not view.offers:
        return []
    learned, sentences = view.price_range, []
    low = rates.convert(learned.min, learned.currency, view.currency) if learned.min is not None else None
    high = rates.convert(learned.max, learned.currency, view.currency) if learned.max is not None else None
    if low is not None and high is not None:
        places = range_places(view.findings, learned)
        other = "" if learned.currency == view.currency else f" (≈ {low:,.0f} to {high:,.0f} {view.currency})"
        sentences.append(
            Sentence(text=f"{view.range_named_by} {range_text(learned)}{other}.", evidence=places)
        )
        sentences += _against_range(view, chosen, low, high)
    else:
        sentences.append(Sentence(text=_without_range(view)))
    sentences += [Sentence(text=text) for text in (_span(view), *_conversions(view, rates)) if text]
    return sentences


def _against_range(
    view: RecommendationView, chosen: OfferView | None, low: float, high: float
) -> list[Sentence]:
    texts = []
    if chosen and chosen.comparable is not None:
        comparison = _compared(chosen.comparable, low, high)
        texts.append(f"The recommended offer costs {price_text(chosen.product)}: {comparison}.")
    known = [offer.comparable for offer in view.offers if offer.comparable is not None]
    inside = sum(low <= amount <= high for amount in known)
    below, above = sum(amount < low for amount in known), sum(amount > high for amount in known)
    if low == high:
        texts.append(f"Of {_count(len(known), 'offer')}, {below} cost less and {above} more.")
    else:
        total = _count(len(known), "offer")
        texts.append(f"Of {total}, {inside} are within that range, {below} below it and {above} above it.")
    return [Sentence(text=text) for text in texts]


def _compared(amount: float, low: float, high: float) -> str:
    if amount < low * (1 - _SAME):
        return f"{(low - amount) / low:.0%} below that"
    if amount > high * (1 + _SAME):
        return f"{(amount - high) / high:.0%} above that"
    return "in line with that"


def _without_range(view: RecommendationView) -> str:
    if view.price_range.min is not None:
        named = f"{view.range_named_by} {range_text(view.price_range)}"
        return f"{named}; no rate to {view.currency} is known, so offers were not compared with that range."
    return "The research found no price range to compare offers with."


def _span(view: RecommendationView) -> str:
    known = sorted(offer.comparable for offer in view.offers if offer.comparable is not None)
    if len(known) < 2:
        return ""
    span = f"{known[0]:,.2f} to {known[-1]:,.2f} {view.currency}"
    return f"Offers cost {span}, half of them at most {median(known):,.2f}."


def _conversions(view: RecommendationView, rates: Rates) -> list[str]:
    """Which prices were converted, and which could not be compared."""
    texts = []
    converted = {o.product.currency for o in view.offers if o.converted and o.comparable is not None}
    learned = view.price_range
    if learned.min is not None and rates.convert(learned.min, learned.currency, view.currency) is not None:
        converted |= {learned.currency} - {view.currency}
    if converted:
        hint = " Set RESEARCH_EXCHANGE_RATES to use rates of your own." if rates.approximate else ""
        texts.append(
            f"Prices in {', '.join(sorted(converted))} were {rates.mark} for this comparison only; "
            f"the report shows the original prices.{hint}"
        )
    left_out = [offer for offer in view.offers if offer.comparable is None]
    if left_out:
        codes = ", ".join(sorted({offer.product.currency for offer in left_out}))
        texts.append(f"{_count(len(left_out), 'offer')} in {codes} could not be compared: no rate is known.")
    return texts


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
