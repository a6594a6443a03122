"""Measures product reading on saved shop pages: F1 on held-back shops, price strings, search pages, speed.

Data: `products`, `prices`, `vendors` in RESEARCH_TEST_DATA (default `../shared/data`). `product_split` says
which shops are held back; for these the price weights are learned from the other shops. For the figure with
each site left out, they are learned from all other sites, but the rules of availability and of SKUs were
written with these pages in view. The reference for price strings is price-parser in the same run.
"""

import gzip
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from benchmarks.commerce.product_pages import SCORED, SavedProduct, saved_products
from benchmarks.commerce.product_weights import learn, read_lesson
from benchmarks.figures import Calibration, Figure, counted, percentile
from benchmarks.places import DATA
from research_crawler.core.models.offers.products import Product
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.decide.weights import Weights
from research_crawler.extraction.products.price.reader import parse_price
from research_crawler.extraction.products.product_reader import read_mentions, read_products, read_structured
from research_crawler.extraction.products.visible.dom_prices import read_candidates
from research_crawler.extraction.products.visible.layout import read_layout
from research_crawler.extraction.products.visible.product_page import ProductPage

LEAST = {"price": 0.90, "availability": 0.94, "sku": 0.80}
LEAST_HELD_BACK = {"price": 0.92, "availability": 0.92, "sku": 0.85}
BASELINE = {"price": 0.765, "availability": 0.660, "sku": 0.488}
LEAST_PAGES_PER_S = 30
RESAMPLES = 2_000
SEARCH_PAGES = {
    "amazon_search": "https://www.amazon.com/s?k=portable+charger",
    "microcenter_search": "https://www.microcenter.com/search/search_results.aspx?Ntt=mechanical+keyboard",
}
Hits = dict[str, tuple[int, int, int]]
"""For one page: by attribute how many values are right, wrong and missed."""


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Measure all figures."""
    if not (DATA / "products").is_dir():
        print(f"no saved pages of shops in {DATA}; set RESEARCH_TEST_DATA")
        return
    pages = list(saved_products())
    yield from _held_back(pages)
    yield from _left_out(pages)
    yield from _price_strings()
    yield from _search_pages()
    yield from _speed(pages, calibration)


def _held_back(pages: list[SavedProduct]) -> Iterator[Figure]:
    """Judge the shops that no rule was written from, with the weights of the other shops."""
    weights = learn([read_lesson(page) for page in pages if not page.held_back])
    by_site: dict[str, list[Hits]] = defaultdict(list)
    for page in pages:
        if page.held_back:
            by_site[page.site].append(_hits(page, weights))
    yield from _figures(by_site, "of shops held back", LEAST_HELD_BACK)


def _left_out(pages: list[SavedProduct]) -> Iterator[Figure]:
    lessons = [read_lesson(page) for page in pages]
    by_site: dict[str, list[Hits]] = defaultdict(list)
    for site in sorted({page.site for page in pages}):
        weights = learn([lesson for lesson in lessons if lesson.site != site])
        by_site[site] = [_hits(page, weights) for page in pages if page.site == site]
    yield from _figures(by_site, "with each site's weights left out", LEAST)


def _hits(page: SavedProduct, weights: Weights) -> Hits:
    found = read_products(page.body, url=page.url, weights=weights)
    return {name: _judge(page, found, name) for name in SCORED}


def _figures(by_site: dict[str, list[Hits]], which: str, least: dict[str, float]) -> Iterator[Figure]:
    for name in SCORED:
        value = _f1([hits[name] for site in by_site.values() for hits in site])
        low, high = _interval(list(by_site.values()), name)
        yield counted(
            f"F1 of {name} {which}",
            value,
            "",
            ok=value >= least[name],
            target=f"≥ {least[name]}",
            reference=f"first offer of structured data, all shops {BASELINE[name]}",
            note=f"95 % interval over sites {low:.3f}-{high:.3f}, {len(by_site)} sites",
        )


def _judge(page: SavedProduct, found: list[Product], name: str) -> tuple[int, int, int]:
    accepted: set[Any] = {value.strip() for value in page.truth[name]}
    guess = _value(found[0], name) if found else None
    if name == "price":
        accepted = set(page.prices)
    if guess is None:
        return 0, 0, int(bool(accepted))
    return (1, 0, 0) if guess in accepted else (0, 1, int(bool(accepted)))


def _value(product: Product, name: str) -> Any:
    if name == "price":
        return product.price_numeric
    if name == "sku":
        return product.sku or None
    if product.availability == "unknown":
        return None
    return "OutOfStock" if product.availability == "out_of_stock" else "InStock"


def _f1(hits: list[tuple[int, int, int]]) -> float:
    right, wrong, missed = (sum(column) for column in zip(*hits, strict=True))
    return 2 * right / (2 * right + wrong + missed) if right else 0.0


def _interval(sites: list[list[Hits]], name: str) -> tuple[float, float]:
    """A bootstrap interval over sites, because the results of pages of one site are correlated."""
    rng = random.Random(0)
    values = []
    for _ in range(RESAMPLES):
        drawn = rng.choices(sites, k=len(sites))
        values.append(_f1([hits[name] for site in drawn for hits in site]))
    return percentile(values, 0.025), percentile(values, 0.975)


def _price_strings() -> Iterator[Figure]:
    from price_parser import Price

    rows = [json.loads(line) for line in (DATA / "prices" / "cases.jsonl").read_text("utf-8").splitlines()]
    ours = theirs = 0
    for row in rows:
        wanted = (None if row["amount"] is None else Decimal(row["amount"]), row["currency"])
        ours_read = parse_price(row["price_raw"] or "", currency_hint=row["currency_raw"] or "")
        ours += (
            ours_read.amount if ours_read else None,
            (ours_read.mark or None) if ours_read else None,
        ) == wanted
        theirs_read = Price.fromstring(row["price_raw"], row["currency_raw"])
        theirs += (theirs_read.amount, theirs_read.currency) == wanted
    yield counted(
        "price strings with exact amount and currency",
        ours,
        "",
        ok=ours >= theirs,
        target=f"≥ {theirs}",
        reference=f"price-parser {theirs}",
        note=f"of {len(rows)}",
    )


def _search_pages() -> Iterator[Figure]:
    for name, url in SEARCH_PAGES.items():
        rows = read_products(gzip.decompress((DATA / "vendors" / f"{name}.html.gz").read_bytes()), url=url)
        complete = [
            row
            for row in rows
            if row.name and row.url.startswith("https://") and row.price_numeric and row.currency
        ]
        yield counted(
            f"rows of {name} with name, address, price and currency",
            len(complete),
            "rows",
            ok=len(complete) == len(rows) >= 20,
            target="all",
            note=f"of {len(rows)}, {sum(row.sponsored for row in rows)} sponsored",
        )


def _speed(pages: list[SavedProduct], calibration: Calibration) -> Iterator[Figure]:
    for page in pages:
        read_products(page.body, url=page.url)

    def run() -> float:
        return _seconds(lambda page: read_products(page.body, url=page.url), pages)

    seconds, factor = calibration.quietest(run)
    rate = len(pages) / seconds
    yield Figure(
        "pages a second of one core, the whole reader",
        rate,
        "pages/s",
        target=f"≥ {LEAST_PAGES_PER_S}",
        ok=rate >= LEAST_PAGES_PER_S if rate >= LEAST_PAGES_PER_S or factor <= 1.3 else None,
        reference="extruct with RDFa 11, measured once",
        note=_shares(pages, seconds),
        factor=factor,
    )


def _shares(pages: list[SavedProduct], seconds: float) -> str:
    """The shares of the time that parsing and each step of reading take."""
    trees = {page.id: ProductPage.of(parse_html(page.text), url=page.url) for page in pages}
    parse = _seconds(lambda page: parse_html(page.text), pages)
    look = _seconds(lambda page: ProductPage.of(trees[page.id].root, url=page.url), pages)
    structured = _seconds(lambda page: read_structured(trees[page.id]), pages)
    state = max(_seconds(lambda page: read_mentions(trees[page.id]), pages) - structured, 0.0)
    dom = _seconds(lambda page: read_candidates(read_layout(trees[page.id]), trees[page.id].numerals), pages)
    parts = {"parsing": parse + look, "structured data": structured, "state": state, "visible prices": dom}
    rest = max(seconds - sum(parts.values()), 0.0)
    return ", ".join(
        f"{name} {part / seconds:.0%}" for name, part in (*parts.items(), ("choice and rows", rest))
    )


def _seconds(work: Callable[[SavedProduct], object], pages: list[SavedProduct]) -> float:
    begun = time.process_time()
    for page in pages:
        work(page)
    return time.process_time() - begun
