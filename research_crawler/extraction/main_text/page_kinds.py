"""Finds the kind of a page from its URL, from what it declares and from the features of its blocks."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from research_crawler.core.models.web.pages import PageKind
from research_crawler.extraction.main_text.blocks.block_features import feature_names
from research_crawler.extraction.main_text.boosted_trees import read_weights
from research_crawler.extraction.main_text.kind_signals import SIGNALS
from research_crawler.extraction.main_text.page_layout import Floats

_LEAST_SHARE = 0.3
"""If no kind has this probability, the page's kind is "other". (Chance would be one in seven.)"""
_AVERAGED = (
    "log_chars", "link_share", "sentences", "date", "price", "digits", "tpl_count", "inner_count", "inner_share",
    "inner_prose", "inner_links", "outer_share", "outer_prose", "outer_count", "legal", "account", "share", "more",
    "shop", "filter", "forum", "reviews", "author", "ask", "contact", "heading", "item", "row", "code", "quote",
)  # fmt: skip
_SIGNS: dict[str, tuple[tuple[str, ...], ...]] = {
    "article": (("og:article", "has_published"),),
    "forum": (("type:forum",), ("maker:forum",)),
    "product": (("og:product",),),
    "documentation": (("type:docs",), ("maker:docs",)),
}
_DECLARED_FACTOR = 4.0
"""So many times likelier is a kind that the page declares."""
KINDS: tuple[PageKind, ...] = (
    "article", "collection", "documentation", "forum", "listing", "product", "service",
)  # fmt: skip
"""The kinds that the model distinguishes. News and reviews are articles that declare themselves as such."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A logistic regression: a row of weights and an intercept for each kind."""

    weights: Floats
    intercepts: Floats


@cache
def _columns() -> tuple[list[int], list[int], list[int]]:
    names = feature_names()
    above = [index for index, name in enumerate(names) if name.startswith("above:")]
    page = [index for index, name in enumerate(names) if name.startswith("page_")]
    return above, page, [names.index(name) for name in _AVERAGED]


@cache
def regression() -> Regression:
    """The trained model that rates the kinds."""
    stored = json.loads(read_weights("page_kinds"))
    if stored["kinds"] != list(KINDS):
        raise ValueError("page_kinds.json was made for other kinds: run benchmarks/reading/train_reading.py")
    return Regression(np.array(stored["weights"]), np.array(stored["intercepts"]))


def describe_page(rows: Floats, signals: list[float]) -> Floats:
    """Describe a page as one row: its signals, and its blocks' features averaged by length and by number."""
    above, page, averaged = _columns()
    chars = np.maximum(np.expm1(rows[:, 0]), 1)
    share = (chars / chars.sum())[:, None]
    return np.concatenate(
        [
            np.array(signals, dtype=np.float32),
            rows[0, page],
            (share * rows[:, above]).sum(axis=0),
            (share * rows[:, averaged]).sum(axis=0),
            rows[:, averaged].mean(axis=0),
        ]
    ).astype(np.float32)


def rate_kinds(description: Floats) -> Floats:
    """The probability of each of KINDS, in that order."""
    model = regression()
    scores = model.weights @ description + model.intercepts
    odds = np.exp(scores - scores.max())
    return np.asarray(odds / odds.sum(), dtype=np.float32)


_REVIEW = re.compile(
    r"(?<![-\w])review(?:ed)?(?:\s*[:|–—,(-]|\s*$)|^(?:review|test|testbericht|recensione|обзор|rezension|análisis)\s*[:|–—-]"
    r"|\b(?:im (?:\w+-)?test|testbericht|hands-on)\b",
    re.IGNORECASE,
)
"""Headings of reviews: the word "review" is at the end or before a colon. Elsewhere it mostly means other
things."""


def name_kind(rates: Floats, signals: list[float], meta: Mapping[str, str], *, heading: str = "") -> PageKind:
    """The kind of a page; "other" if no kind is likely enough.

    Args:
        heading: the page's main heading, without the name of the site.
    """
    signal = dict(zip(SIGNALS, signals, strict=True))
    rates = rates * np.array([_declared_factor(kind, signal) for kind in KINDS], dtype=np.float32)
    best = int(rates.argmax())
    if rates[best] < _LEAST_SHARE:
        return "other"
    kind = KINDS[best]
    if kind == "article":
        if (signal["type:review"] and not signal["type:offer"]) or _REVIEW.search(heading):
            return "review"
        if signal["type:news"] or meta.get("og:type", "").lower() == "article.news":
            return "news"
    return kind


def _declared_factor(kind: str, signal: Mapping[str, float]) -> float:
    """The factor for a kind that the page declares. With it, a few more pages of unseen sites are right."""
    declares = any(all(signal[name] for name in names) for names in _SIGNS.get(kind, ()))
    return _DECLARED_FACTOR if declares else 1.0
