"""Reads the products of a page from three sources: structured data, the state of scripts, visible text.

It does no I/O and uses no model.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lxml import html

from research_crawler.core.models.offers.products import Product
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.decide.amount_ranking import (
    STRONG,
    RankedAmount,
    rank_amounts,
    score_candidates,
)
from research_crawler.extraction.products.decide.composer import Composer
from research_crawler.extraction.products.decide.mention_groups import MentionGroups, sort_mentions
from research_crawler.extraction.products.decide.selling import (
    LEAST_SEEN_SCORE,
    has_signs,
    sells,
    shows_own_number,
    states_price,
)
from research_crawler.extraction.products.decide.weights import LEARNED, Weights
from research_crawler.extraction.products.structured.json_ld import read_json_ld
from research_crawler.extraction.products.structured.mentions import STRUCTURED, Mention
from research_crawler.extraction.products.structured.microdata import read_microdata, read_rdfa
from research_crawler.extraction.products.structured.open_graph import read_open_graph
from research_crawler.extraction.products.structured.schema_org import read_item
from research_crawler.extraction.products.structured.script_state import script_products
from research_crawler.extraction.products.visible.dom_facts import read_labelled_facts
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate, read_candidates
from research_crawler.extraction.products.visible.layout import ProductLayout, read_layout
from research_crawler.extraction.products.visible.product_listing import SURELY_NAMED, is_list_page, read_rows
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.visible.rows import rows_to_products

_MIN_LEAD = 0.3
"""The least lead, in score, of a price that is only visible over the next best one. Product pages without
structured data have a lead of 1 and more."""
_PRODUCT_KINDS = frozenset(["product", "og:product", "product.item"])
"""(A category is a `product.group`.)"""


@dataclass(frozen=True, slots=True)
class Inspection:
    """Everything that was read on a page, before any product is chosen."""

    page: ProductPage
    mentions: list[Mention]
    groups: MentionGroups
    layout: ProductLayout
    candidates: list[PriceCandidate]
    choices: list[RankedAmount]
    is_unclear: bool = False
    """Whether the page shows several prices that are equally likely."""


def read_products(
    body: bytes | str | html.HtmlElement,
    *,
    url: str,
    headers: Mapping[str, str] | None = None,
    language: str = "",
    weights: Weights = LEARNED,
) -> list[Product]:
    """The main product of a page, or all rows of a listing page; empty if the page sells nothing.

    Args:
        body: the downloaded bytes, the decoded text, or a parsed tree from which nothing has been removed
            yet.
        url: the final URL.
        headers: response headers, names in lower case.
        language: the page's language tag, if a better one is known than the page states.
        weights: the weights of the features by which prices are rated.

    Raises:
        PageUnreadable: `empty`, `binary` or `no_text`, if bytes or text cannot be parsed.
    """
    inspection = inspect_page(body, url=url, headers=headers, language=language, weights=weights)
    page, groups = inspection.page, inspection.groups
    likeness = _likeness(page, groups.main)
    rows = [] if likeness is not None and likeness >= SURELY_NAMED else read_rows(page, inspection.candidates)
    if (
        rows
        and is_list_page(rows, inspection.candidates, likeness=likeness)
        and not shows_own_number(page, read_labelled_facts(inspection.layout, None))
        and page.meta.get("og:type", "").lower() not in _PRODUCT_KINDS
    ):
        return rows_to_products(page, rows, groups.others)
    product = product_of(inspection)
    return [product] if product else []


def inspect_page(
    body: bytes | str | html.HtmlElement,
    *,
    url: str,
    headers: Mapping[str, str] | None = None,
    language: str = "",
    weights: Weights = LEARNED,
) -> Inspection:
    """Read a page from all sources, with the arguments and errors of `read_products`."""
    if isinstance(body, bytes):
        body = decode_page(body, headers or {})[0]
    root = parse_html(body) if isinstance(body, str) else body
    page = ProductPage.of(root, url=url, language=language)
    mentions = read_mentions(page)
    groups = sort_mentions(page, mentions)
    layout = read_layout(page)
    candidates = read_candidates(layout, page.numerals)
    score_candidates(candidates, weights)
    choices = rank_amounts(groups.main, candidates, weights)
    inspection = Inspection(page, mentions, groups, layout, candidates, choices)
    if choices and not choices[0].mentions and not _is_clear(choices):
        return replace(inspection, choices=[], is_unclear=_best_seen(choices) >= LEAST_SEEN_SCORE)
    return inspection


def product_of(inspection: Inspection) -> Product | None:
    """The product that the page is about; None if it sells none."""
    page, groups, layout, choices = (
        inspection.page,
        inspection.groups,
        inspection.layout,
        inspection.choices,
    )
    price_order = choices[0].candidates[0].text_element.order if choices and choices[0].candidates else None
    facts = read_labelled_facts(layout, price_order)
    if not sells(page, groups, layout, choices) and not has_signs(
        page, layout, choices, facts, is_unclear=inspection.is_unclear
    ):
        return None
    composer = Composer(page, groups.main, layout, choices, facts, inspection.candidates)
    return composer.product(shows_prices=inspection.is_unclear)


def read_mentions(page: ProductPage) -> list[Mention]:
    """The mentions of structured data, and those of script state if the first is incomplete."""
    mentions = read_structured(page)
    if any(_is_complete(page, mention) for mention in mentions):
        return mentions
    return [*mentions, *script_products(page.root, page.numerals)]


def read_structured(page: ProductPage) -> list[Mention]:
    """The mentions of structured data."""
    items = [
        *read_json_ld(page.root),
        *read_microdata(page.root, page.names_of_elements.microdata),
        *read_rdfa(page.root, page.names_of_elements.rdfa),
        *read_open_graph(page.meta),
    ]
    return [mention for item in items for mention in read_item(item, page.numerals)]


def _is_complete(page: ProductPage, mention: Mention) -> bool:
    """Whether a mention has all that a buyer needs, so that the next source would add nothing.

    That a product is sold out is compared with the state, which has all its variants.
    """
    if mention.is_side or not mention.sku or page.resembles(mention.name) < SURELY_NAMED:
        return False
    return any(
        one.price and one.availability not in ("unknown", "out_of_stock") for one in mention.every_offer()
    )


def _best_seen(choices: list[RankedAmount]) -> float:
    return max((seen.score for one in choices for seen in one.candidates), default=0.0)


def _is_clear(choices: list[RankedAmount]) -> bool:
    """Whether the most likely price, if it is only visible, is clear enough to be reported."""
    best, *others = [max((seen.score for seen in one.candidates), default=0.0) for one in choices]
    return best >= STRONG or (best >= LEAST_SEEN_SCORE and best - max(others, default=0.0) >= _MIN_LEAD)


def _likeness(page: ProductPage, main: list[Mention]) -> float | None:
    """How similar the name of a stated product is to the page's own names; None without one.

    A product without a price counts only if it surely has the page's name.
    """
    likely = ((page.resembles(one.name), one) for one in main)
    return max((like for like, one in likely if states_price([one]) or _is_own(one, like)), default=None)


def _is_own(mention: Mention, likeness: float) -> bool:
    return mention.source in STRUCTURED and not mention.is_side and likeness >= SURELY_NAMED
