"""Tests of reading visible specifications."""

from research_crawler.extraction.products.product_reader import read_products
from tests.cases import each_case
from tests.extraction.products.shop_pages import URL, json_ld, offer, page, product

EXPECTED = {"Graphics": "RTX 4060, 115 W", "Memory": "16 GB", "Weight": "2.3 kg"}
PAIRS = list(EXPECTED.items())


def table(*rows: tuple[str, str]) -> str:
    return (
        "<table>"
        + "".join(f"<tr><td>{label}</td><td>{value}</td></tr>" for label, value in rows)
        + "</table>"
    )


def specs(body: str, **stated) -> dict[str, str]:
    head = json_ld(product(offers=offer("799.00"), sku="A15", **stated))
    text = page(f"<h1>Aurora 15 Laptop</h1><p class='price'>$799.00</p>{body}", head=head)
    [found] = read_products(text, url=URL)
    return found.specs


@each_case(
    "body",
    [
        "<table>" + "".join(f"<tr><th>{n}:</th><td>{v}</td></tr>" for n, v in PAIRS) + "</table>",
        "<table><tr><td colspan=2>Data</td></tr>" + "".join(f"<tr><td>{n}</td><td>{v}</td></tr>" for n, v in PAIRS)
        + "</table>",
        "<dl>" + "".join(f"<dt>{n}</dt><dd>{v}</dd>" for n, v in PAIRS) + "</dl>",
        "<ul>" + "".join(f"<li><span>{n}</span><span>{v}</span></li>" for n, v in PAIRS) + "</ul>",
    ],
)  # fmt: skip
def test_pairs_are_read_from_any_kind_of_markup(body):
    assert specs(body) == EXPECTED


@each_case(
    "body",
    [
        table(*((f"<a href='/p/{n}'>Laptop {n}</a>", "in stock") for n in range(5))),
        table(*((f"Laptop {n}", f"$7{n}9.00") for n in range(5))),
        "<dl class='delivery'><dt>Standard</dt><dd>two days</dd><dt>Express</dt><dd>one day</dd></dl>",
        "<footer><dl><dt>Founded</dt><dd>1911</dd><dt>Seat</dt><dd>Marrowby</dd></dl></footer>",
        table(("Weight", "2.3 kg")),
        "<dl class=pair><dt>Weight<dd>2.3 kg</dl>",
        "<nav><div><div><div><div><ul>" + "<li><b>Watches</b><i>All Diver Round</i></li><li><b>Rings</b><i>All</i></li>"
        + "</ul></div></div></div></div></nav>",
    ],
)  # fmt: skip
def test_other_products_delivery_and_contacts_are_not_specifications(body):
    assert specs(body) == {}


def test_specifications_in_structured_data_win():
    stated = [{"@type": "PropertyValue", "name": "Colour", "value": "grey"}]
    assert specs(
        "<dl><dt>Weight</dt><dd>2.3 kg</dd><dt>Lid</dt><dd>metal</dd></dl>", additionalProperty=stated
    ) == {"Colour": "grey"}
