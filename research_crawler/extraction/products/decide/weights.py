"""The weights of the features of a price.

`python -m benchmarks.commerce.product_weights` learns them from the saved product pages (conditional logit over the
prices of a page). `python -m benchmarks products` measures them with the pages of each site left out.
"""

from dataclasses import dataclass

DOM_PRICE: dict[str, float] = {
    "mark": 1.03, "price_name": 2.25, "now_name": 1.84, "old": -1.98, "extra": -2.08, "side": -1.46,
    "link": -1.3, "product_name": 0.0, "size": 0.54, "alone": 1.81, "after_heading": 0.65,
    "heading_distance": -1.8, "buy_distance": -0.43, "before_words_old": 0.0, "words_extra": -1.2,
    "unit": -1.0, "zero": -1.33, "repeats": 0.39, "first": 0.89, "crowd": -3.22, "itemprop": 1.64,
}  # fmt: skip
FUSION: dict[str, float] = {
    "structured": 2.93, "first_offer": 2.93, "open_graph": 5.21, "state": 2.19, "dom": 0.57, "strong": 1.91,
    "visible": 0.0, "old": 0.0,
}  # fmt: skip


@dataclass(frozen=True)
class Weights:
    """The weights of a visible price's features (FEATURES), and of a price's sources (FUSED)."""

    dom: tuple[float, ...]
    fusion: tuple[float, ...]


LEARNED = Weights(tuple(DOM_PRICE.values()), tuple(FUSION.values()))
