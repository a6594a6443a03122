"""The products that pages recommend by name, of the goal's kind, each with its findings. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from planner.goal.product_kind import ProductKind
from planner.offers.search_terms import is_about_kind, is_component, is_short_for, supports
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.web.urls import slot_of
from research_crawler.text.languages.words import terms
from research_crawler.text.offers.product_names import product_names

MOST_NAMED: Final = 8
"""Most recommended products that a report names."""
FINDINGS_PER_NAME: Final = 4
"""Most findings that are kept for a recommended product."""


class NamedProduct(NamedTuple):
    """A product that pages recommend."""

    name: str
    """Its fullest form on these pages."""
    indexes: list[int]
    """Indexes of the findings that recommend it."""


def named_products(kind: ProductKind, findings: Sequence[Finding]) -> list[NamedProduct]:
    """The recommended products, those of most hosts first; parts, accessories and other kinds are left out."""
    indexes = [index for index, finding in enumerate(findings) if is_about_kind(finding, kind)]
    names: dict[str, str] = {}
    for index in indexes:
        if findings[index].kind == "recommended_product":
            for name in product_names(findings[index].claim):
                names.setdefault(name.casefold(), name)
    known = [
        name for name in names.values() if not (is_component(name) or kind.is_other(name)) and terms(name)
    ]
    named = []
    for name in known:
        if any(is_short_for(name, other) for other in known):
            continue
        forms = [name, *(other for other in known if is_short_for(other, name))]
        named.append(
            NamedProduct(name, [p for p in indexes if any(supports(findings[p], one) for one in forms)])
        )
    named.sort(key=lambda one: (-len({slot_of(findings[p].url) for p in one.indexes}), -len(one.indexes)))
    return [NamedProduct(name, its[:FINDINGS_PER_NAME]) for name, its in named if its][:MOST_NAMED]
