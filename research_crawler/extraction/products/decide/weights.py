"""The weights of the features of a price.

`python -m benchmarks.commerce.product_weights` learns them from the saved product pages (conditional logit over the
prices of a page). `python -m benchmarks products` measures them with the pages of each site left out.
"""

from dataclasses import dataclass

DOM_PRICE: dict[str, float] = {
    "mark": 1.05, "price_name": 2.25, "now_name": 1.89, "old": -1.42, "side": -1.57, "link": -0.94,
    "size": 0.38, "alone": 1.93, "after_heading": 0.53, "heading_distance": -2.45, "buy_distance": -1.12,
    "unit": -1.0, "zero": -0.91, "repeats": 0.61, "first": 1.51, "crowd": -3.3, "itemprop": 2.22,
}  # fmt: skip
FUSION: dict[str, float] = {
    "structured": 2.92, "first_offer": 2.92, "open_graph": 5.2, "state": 2.06, "dom": 0.44, "strong": 1.44,
    "visible": 0.0, "old": 0.0,
}  # fmt: skip


@dataclass(frozen=True)
class Weights:
    """The weights of a visible price's features (FEATURES), and of a price's sources (FUSED)."""

    dom: tuple[float, ...]
    fusion: tuple[float, ...]


LEARNED = Weights(tuple(DOM_PRICE.values()), tuple(FUSION.values()))
