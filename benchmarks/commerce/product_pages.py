"""Reads the saved product pages and their truth from `products` in RESEARCH_TEST_DATA (`../shared/data`)."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from benchmarks.commerce.product_split import is_held_back, shop_of
from benchmarks.places import DATA
from research_crawler.extraction.html.encoding import decode_page

SCORED = ("price", "availability", "sku")


@dataclass(frozen=True)
class SavedProduct:
    """A page of a shop, with the true facts of its product."""

    id: str
    url: str
    body: bytes
    truth: dict[str, list[str]]

    @property
    def site(self) -> str:
        """The name of the shop, the same for all its country domains. All its pages are left out together."""
        return shop_of(self.url)

    @property
    def held_back(self) -> bool:
        """Whether rules are judged by this page instead of written from it."""
        return is_held_back(self.site)

    @property
    def text(self) -> str:
        """The decoded body."""
        return decode_page(self.body, {})[0]

    @property
    def prices(self) -> frozenset[Decimal]:
        """The accepted prices."""
        return frozenset(Decimal(price.strip()) for price in self.truth.get("price", []))


def saved_products() -> Iterator[SavedProduct]:
    """All pages, in the order of their ids."""
    truth = json.loads((DATA / "products" / "ground-truth.json").read_text("utf-8"))
    for name, row in sorted(truth.items()):
        body = gzip.decompress((DATA / "products" / "html" / f"{name}.html.gz").read_bytes())
        yield SavedProduct(name, row["url"], body, {key: row.get(key, []) for key in SCORED})
