"""Judges whether a page is that of a product: by its price, or by other signs where the price says too little."""

from typing import Final
from urllib.parse import unquote

from research_crawler.extraction.products.decide.amount_ranking import RankedAmount
from research_crawler.extraction.products.decide.mention_groups import MentionGroups
from research_crawler.extraction.products.structured.mentions import STRUCTURED, Mention
from research_crawler.extraction.products.visible.dom_facts import DomFacts
from research_crawler.extraction.products.visible.layout import ProductLayout
from research_crawler.extraction.products.visible.product_listing import SURELY_NAMED
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.identifiers import comparable_code, is_product_url

LEAST_SEEN_SCORE: Final = 1.5
"""The least score of a price that is only visible. Product pages without structured data reach 3.9."""
_ENOUGH: Final = 3.2
"""The least evidence in `sells`. Of 187 articles, forum and documentation pages none reaches it by visible
text; all six product pages without structured data do."""
_SIGNS, _FACTS = 2, 3
"""The least signs in `has_signs`, and the least if all of them are facts that documentation may state too."""
_NEAR_HEADING: Final = 400
"""The most elements between the heading and an article number that is the product's."""
_MIN_NUMBER: Final = 5
"""The least characters of an article number. Shorter ones are in URLs by chance."""


def states_price(main: list[Mention]) -> bool:
    """Whether structured data or meta elements state the price of the page's product."""
    return any(
        offer.price is not None for one in main if one.source != "state" for offer in one.every_offer()
    )


def sells(
    page: ProductPage, groups: MentionGroups, layout: ProductLayout, choices: list[RankedAmount]
) -> bool:
    """Whether the page offers a product, by structured data or by its visible text.

    An article about prices has prices too, but it has no way to buy, and no price that is set apart as such.
    """
    if states_price(groups.main) or any(
        one.source in STRUCTURED and one.name and one.is_goods for one in groups.main
    ):
        return True
    if not choices:
        return False
    kind = page.meta.get("og:type", "").lower()
    evidence = (
        _best_seen(choices)
        + 1.5 * bool(layout.buy_buttons)
        + 1.5 * is_product_url(page.url)
        + 2.0 * ("product" in kind)
    )
    evidence += 2.0 * any(page.resembles(mention.name) >= SURELY_NAMED for mention, _ in choices[0].mentions)
    return evidence >= _ENOUGH


def has_signs(
    page: ProductPage,
    layout: ProductLayout,
    choices: list[RankedAmount],
    facts: DomFacts,
    *,
    is_unclear: bool,
) -> bool:
    """Whether a page is that of a product even if its price says too little, or if it has none.

    It may be sold out, or priced for members or by scripts.

    At least two signs must say so. One of them must be among those that only shops have: the page's kind, its
    URL, a way to buy. The others, an article number, a text about stock and a price near the heading, are in
    documentation too: without one of the former it takes all three. Without a heading nothing is near it: then two
    signs of shops are needed.

    Args:
        page: the page.
        layout: where its texts and buttons are.
        choices: its likely prices, best first.
        facts: what its visible texts say of the product.
        is_unclear: whether it shows several prices that are equally likely.
    """
    kind = page.meta.get("og:type", "").lower()
    of_shops = (
        "product" in kind,
        is_product_url(page.url),
        bool(layout.buy_buttons or layout.disabled_buy_buttons),
    )
    if layout.heading < 0:
        return sum(of_shops) >= _SIGNS
    of_facts = (
        shows_own_number(page, facts)
        or any(abs(layout.to_heading(one.order)) <= _NEAR_HEADING for one in facts.skus),
        bool(facts.stock),
        is_unclear or _best_seen(choices) >= LEAST_SEEN_SCORE,
    )
    return sum(of_facts) >= _FACTS or (any(of_shops) and sum(of_shops) + sum(of_facts) >= _SIGNS)


def shows_own_number(page: ProductPage, facts: DomFacts) -> bool:
    """Whether the page shows an article number that is in its URL too."""
    address = comparable_code(unquote(page.url))
    numbers = (comparable_code(one.value) for one in facts.skus)
    return any(len(one) >= _MIN_NUMBER and one in address for one in numbers)


def _best_seen(choices: list[RankedAmount]) -> float:
    """The score of the likeliest price where it is visible."""
    return max((one.score for one in choices[0].candidates), default=0.0) if choices else 0.0
