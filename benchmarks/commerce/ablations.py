"""Measures what each family of rules for products pays on shops that no rule was written from.

`python -m benchmarks.commerce.ablations [FAMILY …]` switches one family off at a time, learns the price weights from
the shops that are not held back, and prints right minus wrong values per page with and without the family, with the
standard error over sites. The pages: products of the shops held back; further shops (`further_shops`); the same pages
without any data for machines, as poorer pages are, those of further shops as a set of their own; and the product pages
of `pages/` and `pages-more/` without data, whose facts are those that their own data states. An article number that
only the data has is no fact of a page without it. Pages of other kinds must not give a product.
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from math import sqrt
from urllib.parse import unquote

from lxml import etree, html

from benchmarks.commerce.families import FAMILIES, REMEMBERING, Family
from benchmarks.commerce.further_shops import further_products
from benchmarks.commerce.product_pages import SCORED, SavedProduct, saved_products
from benchmarks.commerce.product_split import is_held_back, shop_of
from benchmarks.commerce.product_weights import learn, read_lesson
from benchmarks.places import DATA
from research_crawler.core.models.offers.products import Product
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.decide.mention_groups import sort_mentions
from research_crawler.extraction.products.decide.weights import Weights
from research_crawler.extraction.products.product_reader import read_products, read_structured
from research_crawler.extraction.products.visible.product_page import ProductPage
from research_crawler.extraction.products.vocabulary.identifiers import comparable_code

OTHER_KINDS = ("article", "forum", "documentation")
MOST_OTHERS = 60
_BARE = {"held back": "no data", "further": "further, no data"}
"""What the pages of a set are called without data. Further shops may be missing: no figure may depend on that."""
_DATA_ATTRIBUTES = (
    "itemprop", "itemscope", "itemtype", "itemid", "typeof", "property", "vocab", "resource",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A page with its facts, and the set of pages that it belongs to."""

    set: str
    site: str
    url: str
    tree: html.HtmlElement
    facts: Mapping[str, frozenset[str]]


def cases() -> list[Case]:
    """All pages of shops that are held back or further, as saved and without data."""
    found: list[Case] = []
    held = [page for page in saved_products() if page.held_back]
    for name, pages in (("held back", held), ("further", list(further_products()))):
        for page in pages:
            facts = {key: frozenset(map(_plain, page.truth[key])) for key in SCORED}
            found.append(Case(name, page.site, page.url, parse_html(page.text), facts))
            found.append(_bare_case(Case(_BARE[name], page.site, page.url, parse_html(page.text), facts)))
    found += map(_bare_case, _stating_pages())
    found += _others()
    return found


def _bare_case(case: Case) -> Case:
    """A page without data, with the facts that it still states."""
    tree = without_data(case.tree)
    shown = comparable_code(html.tostring(tree, encoding="unicode") + unquote(case.url))
    numbers = frozenset(number for number in case.facts["sku"] if comparable_code(number) in shown)
    return replace(case, tree=tree, facts={**case.facts, "sku": numbers})


def _saved_pages(
    kinds: Sequence[str], folders: Sequence[str] = ("pages", "pages-more")
) -> Iterator[tuple[str, str]]:
    for folder in folders:
        truths = json.loads((DATA / folder / "ground-truth.json").read_text("utf-8"))
        for name, row in sorted(truths.items()):
            if row["page_type"] in kinds and row.get("url"):
                body = gzip.decompress((DATA / folder / "html" / f"{name}.html.gz").read_bytes())
                yield row["url"], decode_page(body, {})[0]


def _stating_pages() -> Iterator[Case]:
    for url, text in _saved_pages(("product",)):
        if not is_held_back(shop_of(url)):
            continue
        page = ProductPage.of(parse_html(text), url=url)
        main = sort_mentions(page, read_structured(page)).main
        offers = [offer for one in main for offer in one.every_offer()]
        availabilities = {offer.availability for offer in offers} - {"unknown"}
        facts = {
            "price": frozenset(_plain(str(offer.price.amount)) for offer in offers if offer.price),
            "availability": frozenset(
                ["OutOfStock" if availabilities == {"out_of_stock"} else "InStock"] if availabilities else []
            ),
            "sku": frozenset(_plain(one.sku) for one in main if one.sku),
        }
        if facts["price"]:
            yield Case("no data", shop_of(url), url, parse_html(text), facts)


def _others() -> list[Case]:
    pages = ((url, text) for url, text in _saved_pages(OTHER_KINDS) if is_held_back(shop_of(url)))
    found = [Case("other kinds", shop_of(url), url, parse_html(text), {}) for url, text in pages]
    return found[:: max(1, len(found) // MOST_OTHERS)]


def without_data(root: html.HtmlElement) -> html.HtmlElement:
    """The tree without what only machines read: scripts, microdata, meta elements and attributes with objects."""
    for script in list(root.iter("script")):
        script.drop_tree()
    for element in root.iter(etree.Element):
        for name, value in element.items():
            is_object = name.startswith("data-") and value.lstrip()[:1] in ("{", "[")
            is_meta = name == "property" and element.tag == "meta" and "price" not in value
            if is_object or (name in _DATA_ATTRIBUTES and not is_meta):
                del element.attrib[name]
    return root


def _plain(value: str) -> str:
    try:
        return format(Decimal(value.strip()).normalize(), "f")
    except ArithmeticError:
        return value.strip()


def score(case: Case, weights: Weights) -> dict[str, float]:
    """For each fact of a page: 1 if right, 0 if missing, -1 if wrong. For pages of other kinds: -1 for a product."""
    found = read_products(case.tree, url=case.url, weights=weights)
    if case.set == "other kinds":
        return {"no product": -float(bool(found))}
    return {
        key: _mark(_value(found[0], key) if len(found) == 1 else "", wanted)
        for key, wanted in case.facts.items()
        if wanted
    }


def _mark(value: str, wanted: frozenset[str]) -> float:
    return 0.0 if not value else 1.0 if value in wanted else -1.0


def _value(product: Product, key: str) -> str:
    if key == "price":
        return "" if product.price_numeric is None else _plain(str(product.price_numeric))
    if key == "sku":
        return _plain(product.sku) if product.sku else ""
    return {"unknown": "", "out_of_stock": "OutOfStock"}.get(product.availability, "InStock")


def _learned(pages: Sequence[SavedProduct]) -> Weights:
    return learn([read_lesson(page) for page in pages])


Scores = dict[tuple[str, str], list[tuple[str, float]]]
"""By set and field: the site and the score of each page."""


def scores(every: Sequence[Case], weights: Weights) -> Scores:
    """The scores of all pages."""
    found: Scores = defaultdict(list)
    for case in every:
        for key, value in score(case, weights).items():
            found[case.set, key].append((case.site, value))
    return found


def difference(
    with_it: Sequence[tuple[str, float]], without: Sequence[tuple[str, float]]
) -> tuple[float, float]:
    """What a family adds to the mean score of a page, and the standard error of that over sites."""
    by_site: dict[str, list[float]] = defaultdict(list)
    for (site, one), (_, other) in zip(with_it, without, strict=True):
        by_site[site].append(one - other)
    number = len(with_it)
    mean = sum(map(sum, by_site.values())) / number
    spread = sum((sum(gains) - mean * len(gains)) ** 2 for gains in by_site.values())
    return mean, sqrt(spread) / number


@contextmanager
def switched_off(family: Family) -> Iterator[None]:
    """Run without a family of rules."""
    kept = [(patch.owner, patch.name, getattr(patch.owner, patch.name)) for patch in family.patches]
    _forget()
    for patch in family.patches:
        setattr(patch.owner, patch.name, patch.value)
    try:
        yield
    finally:
        for owner, name, value in kept:
            setattr(owner, name, value)
        _forget()


def _forget() -> None:
    """Clear what was remembered by the rules as they were."""
    for clear in REMEMBERING:
        clear()


def main(names: Sequence[str]) -> None:
    """Print the table."""
    every = cases()
    seen = [page for page in saved_products() if not page.held_back]
    weights = _learned(seen)
    whole = scores(every, weights)
    columns = sorted(whole)
    for column in columns:
        values = [value for _, value in whole[column]]
        right, wrong = values.count(1.0), values.count(-1.0)
        print(f"{' / '.join(column)}: {len(values)} pages of {len({site for site, _ in whole[column]})} sites, "
              f"{right} right, {wrong} wrong")  # fmt: skip
    for family in FAMILIES:
        if names and family.name not in names:
            continue
        with switched_off(family):
            without = scores(every, _learned(seen) if family.weighs else weights)
        print(f"\n{family.name}: {family.what}", flush=True)
        for column in columns:
            gain, error = difference(whole[column], without[column])
            if gain or error:
                print(f"    {' / '.join(column)}: {100 * gain:+.1f} ± {100 * error:.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
