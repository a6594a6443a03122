"""Learns the weights of products/decide/weights.py: `python -m benchmarks.commerce.product_weights` prints them.

The model is a conditional logit: among the prices of a page, those that its truth accepts must be likely. The
first fit weighs visible prices by their features; the second weighs all amounts by the sources that state
them. Both use an L2 penalty and gradient ascent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from benchmarks.commerce.product_pages import SavedProduct, saved_products
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.decide.amount_ranking import FUSED, rank_amounts, score_candidates
from research_crawler.extraction.products.decide.mention_groups import sort_mentions
from research_crawler.extraction.products.decide.weights import LEARNED, Weights
from research_crawler.extraction.products.product_reader import read_mentions
from research_crawler.extraction.products.structured.mentions import Mention
from research_crawler.extraction.products.visible.dom_prices import FEATURES, PriceCandidate, read_candidates
from research_crawler.extraction.products.visible.layout import read_layout
from research_crawler.extraction.products.visible.product_page import ProductPage

DOM_PENALTY = 0.3
FUSION_PENALTY = 0.5
"""With sites left out, 0.1, 0.3, 0.5, 1 and 2 all give the same score, within one page."""
_PENALISED_PAGES = 61
"""The pages for which these penalties hold; for fewer they are less in proportion. Else weights learned from half of
the pages are a fifth smaller, the best prices score a quarter less, and the thresholds of the reader, which are in
units of scores, ask more of a page than they do with the weights of all pages."""
_STEPS = 30
_SIGNED = {
    "old": -1, "side": -1, "link": -1,
    "unit": -1, "zero": -1, "crowd": -1, "heading_distance": -1, "buy_distance": -1,
}  # fmt: skip
"""Features that can only count against a price; all others can only count for one. A weight of the opposite
sign is chance."""

_PRIOR = {"unit": -1.0, "open_graph": 2.0, "strong": 2.0}
"""The values that the penalty draws a weight to, instead of 0. The pages have too few such cases to learn
from."""

Table = tuple[NDArray[np.float64], NDArray[np.bool_]]


@dataclass
class Lesson:
    """The training data of one page."""

    site: str
    mentions: list[Mention]
    candidates: list[PriceCandidate]
    accepted: frozenset[Decimal]


def read_lesson(page: SavedProduct) -> Lesson:
    """Read the mentions and price candidates of a saved page."""
    parsed = ProductPage.of(parse_html(page.text), url=page.url)
    main = sort_mentions(parsed, read_mentions(parsed)).main
    return Lesson(page.site, main, read_candidates(read_layout(parsed), parsed.numerals), page.prices)


def learn(lessons: Sequence[Lesson]) -> Weights:
    """Learn weights that make the accepted prices of these pages likely.

    The weights of sources are learned from every page twice: as saved, and without its price in the visible
    text, like a page whose scripts have not run yet.
    """
    visible = [
        _table([(candidate.price.amount, candidate.features) for candidate in page.candidates], page.accepted)
        for page in lessons
    ]
    share = len(lessons) / _PENALISED_PAGES
    dom = _fit([table for table in visible if _is_informative(table)], FEATURES, share * DOM_PENALTY)
    partial = Weights(tuple(dom), LEARNED.fusion)
    tables = []
    for page in lessons:
        score_candidates(page.candidates, partial)
        without_price = [
            candidate for candidate in page.candidates if candidate.price.amount not in page.accepted
        ]
        for candidates in (page.candidates, without_price):
            choices = rank_amounts(page.mentions, candidates, partial)
            tables.append(_table([(choice.amount, choice.features) for choice in choices], page.accepted))
    fusion = _fit([table for table in tables if _is_informative(table)], FUSED, share * FUSION_PENALTY)
    return Weights(tuple(dom), tuple(fusion))


def _table(rows: list[tuple[Decimal, list[float]]], accepted: frozenset[Decimal]) -> Table:
    features = np.array([signs for _, signs in rows], dtype=float)
    return features, np.array([amount in accepted for amount, _ in rows], dtype=bool)


def _is_informative(table: Table) -> bool:
    return bool(table[1].any()) and not bool(table[1].all())


def _fit(tables: list[Table], names: Sequence[str], penalty: float) -> NDArray[np.float64]:
    """Projected gradient ascent (Adam) on the penalised likelihood. A weight of the wrong sign stays 0."""
    size = len(names)
    signs = np.array([_SIGNED.get(name, 1) for name in names], dtype=float)
    prior = np.array([_PRIOR.get(name, 0.0) for name in names])
    weights = prior.copy()
    mean, square = np.zeros(size), np.zeros(size)
    for step in range(1, 10 * _STEPS + 1):
        slope = -penalty * (weights - prior)
        for features, right in tables:
            scores = features @ weights
            likely = np.exp(scores - scores.max())
            likely /= likely.sum()
            wanted = likely * right
            wanted /= max(wanted.sum(), 1e-300)
            slope += features.T @ (wanted - likely)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        weights += 0.1 * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        weights = np.where(weights * signs < 0, 0.0, weights)
    return weights


def main() -> None:
    """Print the weights that are learned from all pages."""
    weights = learn([read_lesson(page) for page in saved_products()])
    for names, values in ((FEATURES, weights.dom), (FUSED, weights.fusion)):
        print({name: round(float(value), 2) for name, value in zip(names, values, strict=True)})


if __name__ == "__main__":
    main()
