"""The weights of the features of a price.

`python -m benchmarks.commerce.product_weights` learns them from the saved product pages (conditional logit over the
prices of a page). `python -m benchmarks products` measures them with the pages of each site left out.
"""

from dataclasses import dataclass

DOM_PRICE: dict[str, float] = {
    "mark": 1.16, "price_name": 2.19, "now_name": 1.52, "old": -1.56, "extra": -1.69, "side": -1.73,
    "link": -1.11, "product_name": 0.0, "size": 0.43, "alone": 1.8, "after_heading": 0.57,
    "heading_distance": -2.11, "buy_distance": -0.74, "unit": -1.0, "zero": -1.0, "repeats": 0.13,
    "first": 1.29, "crowd": -3.24, "itemprop": 1.8,
}  # fmt: skip
FUSION: dict[str, float] = {
    "structured": 2.91, "first_offer": 2.91, "open_graph": 5.22, "state": 2.01, "dom": 0.56, "strong": 1.35,
    "visible": 0.0, "old": -0.01,
}  # fmt: skip


@dataclass(frozen=True)
class Weights:
    """The weights of a visible price's features (FEATURES), and of a price's sources (FUSED)."""

    dom: tuple[float, ...]
    fusion: tuple[float, ...]


LEARNED = Weights(tuple(DOM_PRICE.values()), tuple(FUSION.values()))
