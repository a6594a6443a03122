"""Weighs the prices of all sources against each other, and rates how likely each is the product's price."""

from dataclasses import dataclass, field
from decimal import Decimal
from math import exp

from research_crawler.extraction.products.decide.weights import Weights
from research_crawler.extraction.products.price.reader import Price
from research_crawler.extraction.products.structured.mentions import STRUCTURED, Mention
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate

_MAX_SOURCES, _RIVAL_SHARE = 40, 0.1
"""Most mentions of an amount that are weighed, and the share of likelihood from which another amount is a rival."""
FUSED = ("structured", "first_offer", "open_graph", "state", "dom", "strong")
"""The names of `RankedAmount.features`, in order."""
_UNSEEN, STRONG, _STRONGEST = 0.0, 4.0, 7.0
"""The score of an amount that is not visible; the score from which a visible price is almost surely the
product's; the score above which all visible prices count the same."""


@dataclass(slots=True)
class RankedAmount:
    """An amount that may be the price, with all sources that state it."""

    amount: Decimal
    mentions: list[tuple[Mention, Price]] = field(default_factory=list)
    candidates: list[PriceCandidate] = field(default_factory=list)
    features: list[float] = field(default_factory=list)
    score: float = 0.0
    share: float = 0.0
    """The probability that this is the price, among all prices of the page."""


def score_candidates(found: list[PriceCandidate], weights: Weights) -> None:
    """Score the visible prices by their features."""
    for candidate in found:
        candidate.score = sum(
            weight * value for weight, value in zip(weights.dom, candidate.features, strict=True)
        )


def rank_amounts(
    mentions: list[Mention], candidates: list[PriceCandidate], weights: Weights
) -> list[RankedAmount]:
    """All amounts that may be the price, most likely first."""
    choices: dict[Decimal, RankedAmount] = {}
    for mention in mentions[:_MAX_SOURCES]:
        for offer in mention.every_offer():
            if offer.price is not None and offer.price.amount > 0:
                key = offer.price.amount.normalize()
                choices.setdefault(key, RankedAmount(offer.price.amount)).mentions.append(
                    (mention, offer.price)
                )
    for candidate in candidates:
        amount = candidate.price.amount
        if amount > 0:
            choices.setdefault(amount.normalize(), RankedAmount(amount)).candidates.append(candidate)
    ranked = list(choices.values())
    _add_features(ranked, mentions)
    for choice in ranked:
        choice.score = sum(
            weight * value for weight, value in zip(weights.fusion, choice.features, strict=True)
        )
    ranked.sort(key=lambda choice: -choice.score)
    _add_shares(ranked)
    return ranked


def is_rival(candidate: RankedAmount, chosen: RankedAmount) -> bool:
    """Whether another amount contradicts the chosen one: it is nearly as likely, or another source states it.

    Offers in one mention do not contradict each other. A price that is both stated by data and visible is not
    contradicted by other visible prices.
    """
    if candidate.share > _RIVAL_SHARE:
        return True
    stated, chosen_stated = (
        {id(mention) for mention, _ in one.mentions if mention.source != "state"}
        for one in (candidate, chosen)
    )
    if stated:
        return not stated & chosen_stated
    return not (chosen_stated and _visible_score(chosen) >= STRONG) and _visible_score(candidate) >= STRONG


def _visible_score(choice: RankedAmount) -> float:
    return max((one.score for one in choice.candidates), default=_UNSEEN)


def _add_features(ranked: list[RankedAmount], mentions: list[Mention]) -> None:
    first = next(
        (price for source in ("json_ld", "microdata", "rdfa") for price in _prices(mentions, source)), None
    )
    for choice in ranked:
        sources = {mention.source for mention, _ in choice.mentions}
        seen = _visible_score(choice)
        choice.features = [
            float(bool(sources & STRUCTURED)),
            float(first is not None and choice.amount == first.amount),
            float("open_graph" in sources),
            float("state" in sources),
            min(max(seen, _UNSEEN), _STRONGEST),
            min(max(seen - STRONG, 0.0), _STRONGEST - STRONG),
        ]


def _prices(mentions: list[Mention], source: str) -> list[Price]:
    found = [offer.price for one in mentions if one.source == source for offer in one.every_offer()]
    return [price for price in found if price is not None and price.amount > 0][:1]


def _add_shares(ranked: list[RankedAmount]) -> None:
    if not ranked:
        return
    weights = [exp(choice.score - ranked[0].score) for choice in ranked]
    total = sum(weights)
    for choice, weight in zip(ranked, weights, strict=True):
        choice.share = weight / total
