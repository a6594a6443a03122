"""Compares names by their words."""

import re

from lxml import html

TITLE_BREAK = re.compile(r"(?<!\s)\s++[|–—•·»:/-]\s++|(?<!\s)\s*+[|»]\s*+|[|»]\s*+")
"""Separates the parts of a title: product, category, shop."""
_WORD = re.compile(
    r"[^\W\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7a3]+|[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7a3]{1,2}"
)
"""Matches words; in scripts without spaces, pairs of characters."""

_MIN_SITE = 4
"""A shorter name of a site is not taken off the names of products."""


def words_of(text: str) -> frozenset[str]:
    """The words of a text, in lower case."""
    return frozenset(_WORD.findall(text.lower()))


def overlap(words: frozenset[str], other: frozenset[str]) -> float:
    """Shared words divided by the mean number of words (Dice coefficient), 0 to 1."""
    return 2 * len(words & other) / (len(words) + len(other)) if words and other else 0.0


def without_site(name: str, *sites: str) -> str:
    """A name without the site's own at its end: "Aurora 15 | Example Shop" at `exampleshop.com`.

    Args:
        name: what data or a title calls the product.
        sites: the names of the site, as it writes them or as they stand in its address.
    """
    known = [bare for site in sites if len(bare := _bare(site)) >= _MIN_SITE]
    for end in TITLE_BREAK.finditer(name):
        tail = _bare(name[end.end() :])
        if end.start() and any(tail.startswith(site) or site == tail for site in known):
            return name[: end.start()].rstrip()
    return name


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()


def text_on_one_line(element: html.HtmlElement) -> str:
    """The text of an element, on one line."""
    return " ".join(" ".join(element.itertext()).split())
