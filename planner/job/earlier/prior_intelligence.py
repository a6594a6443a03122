"""Read prior intelligence from §2 of a caller's context.md: products, prices and specs of earlier research."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from planner.goal.topic_match import mentions_product
from planner.money.prices import price_range
from research_crawler.core.models.evidence.findings import FindingKind
from research_crawler.core.models.reports.report import Phase1Intelligence, PriceRange
from research_crawler.core.text.markdown_syntax import LISTED
from research_crawler.text.languages.words import terms
from research_crawler.text.offers.purchase import TOPICS, says_nothing, topic_in, without_generic
from research_crawler.text.writing.messages import catalogue

MAX_ITEMS = 12
"""Most products, prices and specs that are read from a caller's context."""
_SECTION = re.compile(r"^(?P<marks>#{1,6})\s*§\s?2\b.*$", re.M)
_LABELLED = re.compile(r"^(?:[-*]\s*)?\**(?P<label>[A-Za-z][\w /&-]{2,40}?)\**\s*:\**\s*(?P<rest>.*)$")
_DATE = re.compile(r"\b(20\d\d-[01]\d-[0-3]\d)\b")
_OWN_LABELS = {
    "kind_recommended_product": "products",
    "kind_recommendation": "products",
    "kind_price_expectation": "prices",
    "kind_spec_to_look_for": "specs",
    "kind_vendor_mentioned": "vendors",
}
"""The labels of our own context.md, which has them in the language of its goal."""


@dataclass(frozen=True)
class PriorIntelligence:
    """Prior intelligence in the caller's words. It guides the search and is never evidence."""

    products: tuple[str, ...] = ()
    prices: PriceRange = field(default_factory=PriceRange)
    specs: tuple[str, ...] = ()
    vendors: tuple[str, ...] = ()

    @property
    def kinds(self) -> list[FindingKind]:
        """The kinds of intelligence that it has."""
        kinds: list[tuple[FindingKind, bool]] = [
            ("recommended_product", bool(self.products)),
            ("price_expectation", self.prices.min is not None),
            ("spec_to_look_for", bool(self.specs)),
        ]
        return [kind for kind, is_known in kinds if is_known]


NO_PRIOR_INTELLIGENCE = PriorIntelligence()


def prior_intelligence_of(context: str, goal: str, *, oldest: str = "") -> PriorIntelligence:
    """The intelligence in §2 of a caller's context; empty if there is none or it is about another product.

    Args:
        oldest: ISO date; a section with an older date does not count.
    """
    section = _section_of(context)
    dates = _DATE.findall(section)
    if not section or (oldest and dates and max(dates) < oldest) or not _serves(section, goal):
        return NO_PRIOR_INTELLIGENCE
    items: dict[str, list[str]] = {name: [] for name in TOPICS}
    topic = ""
    for line in section.splitlines():
        text = line.strip().removeprefix("\\")  # as our own context.md escapes the caller's headings
        if text.startswith("#"):
            topic = _topic_of(text)
            continue
        labelled = _LABELLED.match(text)
        if labelled and (named := _topic_of(labelled["label"])):
            topic, text = named, labelled["rest"]
        if topic and text:
            items[topic] += _items(text, split=topic in ("products", "vendors"))
    return PriorIntelligence(
        products=tuple(items["products"][:MAX_ITEMS]),
        prices=price_range(items["prices"]),
        specs=tuple(items["specs"][:MAX_ITEMS]),
        vendors=tuple(items["vendors"][:MAX_ITEMS]),
    )


def section_from(phase1: Phase1Intelligence) -> str:
    """The result of a phase 1 as §2 of a context.md, for a job that starts phase 2 from it."""
    known = phase1.intelligence
    prices = "; ".join(known.get("price_expectations", []))
    if not prices and phase1.price_range.min is not None:
        prices = f"{phase1.price_range.min:g} to {phase1.price_range.max:g} {phase1.price_range.currency}"
    parts = [
        ("Recommended Models", phase1.search_terms),
        ("Price Expectations", [prices] if prices else []),
        ("What to Look For", known.get("specs_to_look_for", [])),
        ("Vendors", phase1.vendor_hints),
    ]
    body = "\n\n".join(
        f"### {title}\n" + "\n".join(f"- {item}" for item in items) for title, items in parts if items
    )
    return f"## §2 Prior Research Intelligence\n{phase1.goal}\n\n{body}\n"


def _section_of(context: str) -> str:
    start = _SECTION.search(context)
    if not start:
        return ""
    rest = context[start.end() :]
    end = re.search(rf"^#{{1,{len(start['marks'])}}}\s", rest, re.M)
    return start.group() + (rest[: end.start()] if end else rest)


def _serves(section: str, goal: str) -> bool:
    """Whether a section is about the goal's kind of product; one that names no kind at all is taken at its word."""
    heading, *lines = section.splitlines()
    names_kind = any(is_prose(line) for line in lines) or bool(terms(without_generic(_without_own(heading))))
    return not names_kind or mentions_product(section, goal)


def is_prose(line: str) -> bool:
    """Whether a line of the section tells what it is about, and is no heading, item or labelled value."""
    text = line.strip()
    return bool(text) and not text.startswith(("#", "-", "*", "+", ">", "|")) and not _LABELLED.match(text)


def callers_section(context: str) -> tuple[str, str]:
    """§2 of a caller's context without its heading, and the context without §2; "" for what is not there."""
    section = _section_of(context)
    if not section:
        return "", context
    return section.partition("\n")[2].strip(), context.replace(section, "", 1).strip()


def _without_own(heading: str) -> str:
    """A heading without the words that our own context.md has there."""
    return next(
        (heading.replace(own, " ") for own in _own_texts("prior_intelligence") if own in heading), heading
    )


def _own_texts(key: str) -> Iterable[str]:
    return catalogue()[key].values()


def _topic_of(text: str) -> str:
    label = text.strip("#* ")
    for key, topic in _OWN_LABELS.items():
        if label in _own_texts(key):
            return topic
    return topic_in(text)


def _items(text: str, *, split: bool) -> Iterable[str]:
    listed = LISTED.match(text)
    item = (listed["text"] if listed else text).strip()
    if item in _own_texts("none_yet"):
        return []
    parts = re.split(r"[,;]\s*", item) if split else [item]
    return [part.strip(" .*") for part in parts if part.strip(" .*") and not says_nothing(part.strip())]
