"""Names of products, as they are written."""

import re
from typing import Final

from research_crawler.text.languages.dates import month_of

MAX_NAME_WORDS: Final = 6
"""A claim with at most so many words is a name."""
_OPENING: Final = re.compile(
    r"^(?:(?:The|An?|Our|My|Its|Their|This|That|If|And|But|Get|Buy|Take|With|For|the|an?|our|my)\s)+"
)
_WORDED: Final = re.compile(
    r"\b(?:[Tt]he|[Aa]n?|[Mm]y|[Oo]ur)\s(?P<name>[A-Z][a-z][\w-]*\s[A-Z][a-z][\w-]*)\b"
)
"""A name without a number after an article: "the Velmar Pocket"."""
_MODEL: Final = re.compile(
    r"\b(?:[A-Z][\w&-]{0,40}\s){0,3}(?:[A-Z][\w-]{0,40}\d[\w-]*|[A-Z]{2,}\s\d{2,5}\w*|[A-Z][a-z]\w+\s\d{1,5}\w*)"
)


def product_names(claim: str) -> list[str]:
    """Names of products in a claim: the claim itself if it is a name, else the models that it names."""
    if is_name_alone(claim):
        return [without_opening(claim)]
    numbered = [without_opening(match.group()) for match in _MODEL.finditer(claim)]
    numbered = [name for name in numbered if not month_of(name.partition(" ")[0])]  # "March 2024"
    return numbered or [match["name"] for match in _WORDED.finditer(claim)]


def is_name_alone(claim: str) -> bool:
    """Whether a claim is a name; a longer one is a sentence that contains names."""
    return len(claim.split()) <= MAX_NAME_WORDS and not claim.rstrip().endswith((".", "!", "?"))


def without_opening(name: str) -> str:
    """A name without the words of a sentence's beginning that a capital makes look like a part of it."""
    return _OPENING.sub("", name).strip()
