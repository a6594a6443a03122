"""The weights of the features of a price.

`python -m benchmarks.commerce.product_weights` learns them from the saved product pages (conditional logit over the
prices of a page). `python -m benchmarks products` measures them with the pages of each site left out.
"""

from dataclasses import dataclass

DOM_PRICE: dict[str, float] = {
    "mark": 1.01, "price_name": 2.52, "now_name": 2.23, "old": -1.32, "side": -1.14, "link": -1.0,
    "alone": 1.86, "after_heading": 0.59, "heading_distance": -2.14, "buy_distance": -0.96,
    "unit": -1.01, "zero": -0.81, "repeats": 0.64, "first": 1.67, "crowd": -2.95, "itemprop": 2.28,
}  # fmt: skip
"""Weights of the features of a visible price, learned by `benchmarks/commerce/product_weights.py`."""
FUSION: dict[str, float] = {
    "structured": 2.92, "first_offer": 2.92, "open_graph": 5.2, "state": 2.06, "dom": 0.44, "strong": 1.44,
}  # fmt: skip
"""Weights of what speaks for an amount when all sources are compared, learned there too."""


@dataclass(frozen=True)
class Weights:
    """The weights of a visible price's features (FEATURES), and of a price's sources (FUSED)."""

    dom: tuple[float, ...]
    fusion: tuple[float, ...]


LEARNED = Weights(tuple(DOM_PRICE.values()), tuple(FUSION.values()))
