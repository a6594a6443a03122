"""The weights of the features of a price.

`python -m benchmarks.commerce.product_weights` learns them from the saved product pages (conditional logit over the
prices of a page). `python -m benchmarks products` measures them with the pages of each site left out.
"""

from dataclasses import dataclass

DOM_PRICE: dict[str, float] = {
    "mark": 1.07, "price_name": 2.48, "now_name": 2.15, "old": -1.33, "side": -1.17, "link": -1.05,
    "alone": 1.78, "after_heading": 0.6, "heading_distance": -2.2, "buy_distance": -0.96,
    "unit": -1.01, "zero": -0.85, "repeats": 0.6, "first": 1.68, "crowd": -2.92, "itemprop": 2.03,
    "worded": -0.53,
}  # fmt: skip
FUSION: dict[str, float] = {
    "structured": 2.92, "first_offer": 2.92, "open_graph": 5.2, "state": 2.06, "dom": 0.44, "strong": 1.44,
}  # fmt: skip


@dataclass(frozen=True)
class Weights:
    """The weights of a visible price's features (FEATURES), and of a price's sources (FUSED)."""

    dom: tuple[float, ...]
    fusion: tuple[float, ...]


LEARNED = Weights(tuple(DOM_PRICE.values()), tuple(FUSION.values()))
