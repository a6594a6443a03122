"""Products on their way into an event: what a command wants to know, and what goes where there is no room."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.notify import MAX_EVENT_BYTES, fitting
from pipelines.products import lighter, wanted_of
from research_crawler.core.models.commands import Command, VendorSpec
from research_crawler.core.models.events import Event
from research_crawler.core.models.pages import PageText, StoredPage
from research_crawler.core.models.products import Offer, Product, Provenance

SPEC = VendorSpec(host="shop.example", query="aurora 15", currency="EUR", max_products=7)


def stored(kind: str = "other") -> StoredPage:
    return StoredPage(sha="0" * 64, url="u", final_url="u", page=PageText(markdown="x", text="x", kind=kind))


def command(**fields) -> Command:
    return Command(id="j:1", job="j", url="https://shop.example/s", **fields)


def product(number: int, chars: int = 200) -> Product:
    return Product(
        name=f"Product {number}",
        url=f"https://shop.example/{number}",
        specs={str(n): "s" * chars for n in range(10)},
        offers=[Offer(seller="o" * chars) for _ in range(5)],
        provenance={"price": Provenance(rung="dom", path="p" * chars)},
    )


def event(products: list[Product]) -> Event:
    return Event(uid="j:1", kind="done", job="j", command="j:1", products=products)


def test_a_page_of_results_is_read_for_its_query_and_a_product_page_for_itself():
    results = wanted_of(command(kind="vendor", vendor=SPEC), stored())
    assert (results.query, results.asked_url, results.most) == ("aurora 15", "https://shop.example/s", 7)
    assert (results.vendor, results.currency) == ("shop.example", "EUR")
    own = wanted_of(command(kind="vendor", vendor=SPEC.model_copy(update={"page": "product"})), stored())
    assert own.query == ""


def test_of_visited_pages_only_those_about_a_product_are_read_for_it():
    assert wanted_of(command(kind="visit"), stored("product")).most == 1
    assert wanted_of(command(kind="visit"), stored("forum")) is None
    assert wanted_of(command(kind="visit"), None) is None


def test_specs_go_before_offers_offers_before_places_and_rows_last():
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
@settings(max_examples=30, deadline=None)
def test_an_event_with_any_products_fits_and_keeps_the_first(sizes):
    products = [product(n, chars) for n, chars in enumerate(sizes)]
    cut = fitting(event(products))
    assert len(cut.to_wire().encode()) <= MAX_EVENT_BYTES
    assert [one.name for one in cut.products] == [one.name for one in products][: len(cut.products)]
    assert bool(cut.products) == bool(products)
