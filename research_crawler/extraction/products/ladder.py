"""Products of a page, rung by rung: structured data, the scripts' state, what a reader sees. No I/O, no model."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import html

from research_crawler.core.models.products import Product
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.decide.composer import Composer
from research_crawler.extraction.products.decide.fusion import (
    STRONG,
    PriceChoice,
    choose_price,
    score_candidates,
)
from research_crawler.extraction.products.decide.standing import ProductStanding, sort_mentions
from research_crawler.extraction.products.decide.weights import LEARNED, Weights
from research_crawler.extraction.products.structured.json_ld import read_json_ld
from research_crawler.extraction.products.structured.mentions import STRUCTURED, Mention
from research_crawler.extraction.products.structured.microdata import read_microdata, read_rdfa
from research_crawler.extraction.products.structured.open_graph import read_open_graph
from research_crawler.extraction.products.structured.schema_org import read_item
from research_crawler.extraction.products.structured.state import read_state
from research_crawler.extraction.products.visible.dom_facts import DomFacts, read_facts
from research_crawler.extraction.products.visible.dom_prices import PriceCandidate, read_candidates
from research_crawler.extraction.products.visible.layout import ProductLayout, read_layout
from research_crawler.extraction.products.visible.listing import SURELY_NAMED, is_list_page, read_rows
from research_crawler.extraction.products.visible.page import ProductPage
from research_crawler.extraction.products.visible.rows import rows_to_products
from research_crawler.extraction.products.visible.side_prices import NEAR
from research_crawler.extraction.products.vocabulary.identifiers import plain
from research_crawler.extraction.products.vocabulary.marks import ElementMark

_MIN_LEAD = 0.3
"""In score, of a price that only the page's look speaks for, over the next best. Product pages without structured data
have 1 and more."""
_MIN_SCORE = 1.5
"""Likewise: they have 3.9 and more."""
_ENOUGH = 3.2
"""Evidence of `_sells`: of 187 articles, forum and documentation pages none reaches it by its look, of six product
pages without structured data all do."""
_MAX_SAYING = 40
"""Characters of a text that says nothing but that a product is sold out."""
_MIN_NUMBER = 5
"""Characters of an article number; shorter ones stand in addresses by chance."""
_READING_KINDS = frozenset(["article", "blog", "profile", "book", "video.other", "video.movie"])


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen on a page before anything is concluded from it."""

    page: ProductPage
    mentions: list[Mention]
    standing: ProductStanding
    layout: ProductLayout
    candidates: list[PriceCandidate]
    choices: list[PriceChoice]


def read_products(
    body: bytes | str | html.HtmlElement,
    *,
    url: str,
    headers: Mapping[str, str] | None = None,
    language: str = "",
    weights: Weights = LEARNED,
) -> list[Product]:
    """The products of a page, its main product first; of a listing page all rows. Empty for a page that sells nothing.

    Args:
        body: as downloaded, decoded, or a parsed tree from which nothing has been taken out yet.
        url: the final URL.
        headers: names in lower case.
        language: the page's language tag, where it is known better than the page says.
        weights: of the signs that prices are judged by.

    Raises:
        PageUnreadable: `empty`, `binary` or `no_text`, where bytes or text cannot be parsed.
    """
    look = look_at(body, url=url, headers=headers, language=language, weights=weights)
    page, standing = look.page, look.standing
    likeness = _likeness(page, standing.main)
    rows = [] if likeness is not None and likeness >= SURELY_NAMED else read_rows(page, look.candidates)
    if rows and is_list_page(rows, look.candidates, likeness=likeness) and not _is_of_one(look):
        return rows_to_products(page, rows, standing.others)
    product = product_of(look)
    return [product] if product else []


def look_at(
    body: bytes | str | html.HtmlElement,
    *,
    url: str,
    headers: Mapping[str, str] | None = None,
    language: str = "",
    weights: Weights = LEARNED,
) -> Look:
    """Read what the rungs say of a page; arguments and what it raises as of `read_products`."""
    if isinstance(body, bytes):
        body = decode_page(body, headers or {})[0]
    root = parse_html(body) if isinstance(body, str) else body
    page = ProductPage.of(root, url=url, language=language)
    mentions = read_mentions(page)
    standing = sort_mentions(page, mentions)
    layout = read_layout(page)
    candidates = read_candidates(layout, page.numerals)
    score_candidates(candidates, weights)
    choices = choose_price(standing.main, candidates, weights)
    if choices and not choices[0].mentions and not (_is_clear(choices) or _is_titled(page, choices[0])):
        choices = []
    return Look(page, mentions, standing, layout, candidates, choices)


def product_of(look: Look) -> Product | None:
    """The one product that the page is about; None where it sells none."""
    page, standing, layout, choices = look.page, look.standing, look.layout, look.choices
    price_order = choices[0].candidates[0].spot.order if choices and choices[0].candidates else None
    facts = read_facts(layout, price_order)
    if not _sells(page, standing, layout, choices) and not _is_sold_out(look, facts):
        return None
    return Composer(page, standing.main, layout, choices, facts, look.candidates).product()


def read_mentions(page: ProductPage) -> list[Mention]:
    """First rung, and the second where the first leaves something open."""
    mentions = read_structured(page)
    if any(_is_whole(page, one) for one in mentions):
        return mentions
    return [*mentions, *read_state(page.root, page.numerals)]


def read_structured(page: ProductPage) -> list[Mention]:
    """First rung: what the page says for machines."""
    items = [
        *read_json_ld(page.root),
        *read_microdata(page.root),
        *read_rdfa(page.root),
        *read_open_graph(page.meta),
    ]
    return [mention for item in items for mention in read_item(item, page.numerals)]


def _is_whole(page: ProductPage, mention: Mention) -> bool:
    """Whether one place says all that a buyer needs of the page's product: the next rung would only repeat it."""
    if mention.is_side or not mention.sku or page.resembles(mention.name) < SURELY_NAMED:
        return False
    return any(one.price and one.availability != "unknown" for one in mention.every_offer())


def _is_clear(choices: list[PriceChoice]) -> bool:
    """Whether the likeliest price, where nothing but the page's look speaks for it, stands out enough to be told."""
    best, *others = [max((seen.score for seen in one.candidates), default=0.0) for one in choices]
    return best >= STRONG or (best >= _MIN_SCORE and best - max(others, default=0.0) >= _MIN_LEAD)


def _is_titled(page: ProductPage, choice: PriceChoice) -> bool:
    """Whether the page's title names the price as the page shows it."""
    return any(one.price.mark and one.price.text in page.title for one in choice.candidates)


def _is_of_one(look: Look) -> bool:
    """Whether the page shows an article number that its own address has, too: the rows are what else there is."""
    address = plain(unquote(look.page.url))
    numbers = (plain(one.value) for one in read_facts(look.layout, None).skus)
    return any(len(one) >= _MIN_NUMBER and one in address for one in numbers)


def _states_price(main: list[Mention]) -> bool:
    """Whether data made for machines names what the page's product costs."""
    return any(offer.price is not None for one in main if one.rung != "state" for offer in one.every_offer())


def _likeness(page: ProductPage, main: list[Mention]) -> float | None:
    """How much what data made for machines calls the product with a price is what the page calls itself."""
    return max((page.resembles(one.name) for one in main if _states_price([one])), default=None)


def _is_sold_out(look: Look, facts: DomFacts) -> bool:
    """Whether the page shows a product that has no price for now: out of stock, with its number and a price of 0."""
    if look.choices or look.layout.heading < 0 or not facts.skus:
        return False
    free = [
        one.spot for one in look.candidates if one.price.amount == 0 and one.spot.marks & ElementMark.PRICE
    ]
    said = [spot for stock, spot in facts.stock if stock == "out_of_stock" and len(spot.text) <= _MAX_SAYING]
    return any(abs(one.order - other.order) <= NEAR for one in free for other in said)


def _sells(
    page: ProductPage, standing: ProductStanding, layout: ProductLayout, choices: list[PriceChoice]
) -> bool:
    """Whether the page offers a product: structured data says so, or what a reader sees does.

    An article about prices has prices, too: what it has not is a way to buy, or a price set apart as such.
    """
    if _states_price(standing.main) or any(one.rung in STRUCTURED and one.name for one in standing.main):
        return True
    if not choices:
        return False
    best = max((one.score for one in choices[0].candidates), default=0.0)
    kind = page.meta.get("og:type", "").lower()
    evidence = best + 1.5 * bool(layout.buys) + 2.0 * ("product" in kind) - 2.0 * (kind in _READING_KINDS)
    evidence += 2.0 * any(page.resembles(mention.name) >= SURELY_NAMED for mention, _ in choices[0].mentions)
    return evidence >= _ENOUGH
