"""Products on their way into an event: what a command wants to know, and what goes where there is no room."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.exceptions import DropItem

from pipelines.notify import shortened_event
from pipelines.products import ProductsPipeline, lighter, wanted_of
from research_crawler.adapters.in_memory.memory_archive import MemoryArchive
from research_crawler.core import crawler_services
from research_crawler.core.models.messages.commands import (
    Command,
    Lease,
    VendorCommand,
    VendorSpec,
    VisitCommand,
)
from research_crawler.core.models.messages.events import MAX_EVENT_BYTES, CommandDone, Usage
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.offers.products import Offer, Product, Provenance
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.core.models.why import Why
from research_crawler.core.tasks.leases import Task
from research_crawler.extraction.process.pool import ParsePool
from tests.crawl_services import crawl_services
from tests.extraction.products.shop_pages import URL, json_ld, offer, page
from tests.extraction.products.shop_pages import product as described

SPEC = VendorSpec(host="shop.example", query="aurora 15", currency="EUR", max_products=7)


def stored(kind: str = "other") -> StoredPage:
    return StoredPage(sha="0" * 64, url="u", final_url="u", page=PageText(markdown="x", text="x", kind=kind))


PAGE = {"id": "j:1", "job": "j", "url": "https://shop.example/s", "slot": "shop.example", "h": "h"}


def at_vendor(spec: VendorSpec) -> VendorCommand:
    return VendorCommand(**PAGE, vendor=spec)


def a_visit() -> VisitCommand:
    return VisitCommand(**PAGE)


def product(number: int, chars: int = 200) -> Product:
    return Product(
        name=f"Product {number}",
        url=f"https://shop.example/{number}",
        specs={str(n): "s" * chars for n in range(10)},
        offers=[Offer(seller="o" * chars) for _ in range(5)],
        provenance={"price": Provenance(source="dom", path="p" * chars)},
    )


def event(products: list[Product]) -> CommandDone:
    return CommandDone(uid="j:1", job="j", command="j:1", products=products)


def test_a_page_of_results_is_read_for_its_query_and_a_product_page_for_itself():
    results = wanted_of(at_vendor(SPEC), stored())
    assert (results.query, results.asked_url, results.most) == ("aurora 15", "https://shop.example/s", 7)
    assert (results.vendor, results.currency) == ("shop.example", "EUR")
    own = wanted_of(at_vendor(SPEC.model_copy(update={"page": "product"})), stored())
    assert own.query == ""


def test_of_visited_pages_only_those_about_a_product_are_read_for_it():
    assert wanted_of(a_visit(), stored("product")).most == 1
    assert wanted_of(a_visit(), stored("forum")) is None
    assert wanted_of(a_visit(), None) is None


def test_a_long_event_drops_specs_then_offers_then_provenance_then_products():
    rows = [product(n) for n in range(8)]
    once = lighter(rows)
    assert not any(row.specs for row in once)
    assert all(row.offers and row.provenance for row in once)
    twice = lighter(once)
    assert not any(row.offers for row in twice)
    assert all(row.provenance for row in twice)
    bare = lighter(twice)
    assert not any(row.provenance for row in bare)
    assert lighter(bare) == bare[:6]


@given(st.lists(st.integers(0, 3_000), max_size=25))
def test_an_event_with_any_products_fits_and_keeps_the_first(sizes):
    products = [product(n, chars) for n, chars in enumerate(sizes)]
    cut = shortened_event(event(products))
    assert len(cut.to_wire().encode()) <= MAX_EVENT_BYTES
    assert [one.name for one in cut.products] == [one.name for one in products][: len(cut.products)]
    assert bool(cut.products) == bool(products)


BODY = page("<h1>Aurora 15 Laptop</h1>", head=json_ld(described(offers=offer("899.00")))).encode()
PRODUCT_PAGE = VendorSpec(host="shop.example.com", page="product")


class Crawler:
    """A stand-in for Scrapy's crawler, which the services are registered for."""


@dataclass
class Asked:
    """A product model that records the pages it is asked about."""

    urls: list[str] = field(default_factory=list)

    async def settle(self, products, page, job_context, call):
        self.urls.append(page.final_url)
        call.usage = call.usage + Usage(model_calls=1)
        return products


@dataclass
class Works:
    """The tasks of a node."""

    tasks: dict[str, Task]


@pytest.fixture(scope="module")
def pool():
    made = ParsePool(1)
    made.start()
    yield made
    made.close()


def pipeline(pool, *, model=None, archive=None, held: bool = True) -> ProductsPipeline:
    crawler = Crawler()
    node = Works({"t": Task(Lease(command=a_visit(), token="t"))} if held else {})
    crawler_services.provide(
        crawler,
        crawl_services(node=node, parse_pool=pool, archive=archive or MemoryArchive(), product_model=model),
    )
    made = ProductsPipeline(crawler)
    made.kept = crawler
    return made


def item(raw: bytes = BODY, *, command: Command | None = None) -> CommandItem:
    shown = stored("product").model_copy(update={"final_url": URL})
    return CommandItem(command=command or at_vendor(PRODUCT_PAGE), token="t", page=shown, raw=raw)


async def test_a_product_page_fills_the_item_and_asks_the_model_where_there_is_one(pool):
    model = Asked()
    done = await pipeline(pool, model=model).process_item(item())
    assert [one.price_numeric for one in done.products] == [899]
    assert done.raw == b""
    assert (model.urls, done.usage.model_calls) == ([URL], 1)


async def test_a_page_of_results_and_a_visit_ask_no_model(pool):
    model = Asked()
    await pipeline(pool, model=model).process_item(item(command=at_vendor(SPEC)))
    visited = await pipeline(pool, model=model).process_item(item(command=a_visit()))
    assert model.urls == []
    assert visited.products


async def test_a_vendor_command_fails_if_the_stored_page_has_no_bytes_any_more(pool):
    done = await pipeline(pool).process_item(item(raw=b""))
    assert (done.outcome, done.reason.text, done.products) == ("failed", "not_kept", [])
    visit = await pipeline(pool).process_item(item(raw=b"", command=a_visit()))
    assert visit.outcome == "ok"


async def test_a_stored_page_is_read_from_its_bytes_in_the_archive(pool):
    archive = MemoryArchive()
    await archive.put_page(stored("product"), BODY)
    done = await pipeline(pool, archive=archive).process_item(item(raw=b""))
    assert [one.price_numeric for one in done.products] == [899]


async def test_a_lost_lease_drops_the_item(pool):
    with pytest.raises(DropItem):
        await pipeline(pool, held=False).process_item(item())


async def test_a_page_that_failed_is_not_read_for_products(pool):
    failed = item()
    failed.outcome, failed.reason = "blocked", Why(Reason.CAPTCHA)
    done = await pipeline(pool).process_item(failed)
    assert (done.outcome, done.products) == ("blocked", [])
