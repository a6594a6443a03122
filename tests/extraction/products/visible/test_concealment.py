"""A price that the page's readers do not see is not the product's."""

from research_crawler.extraction.products.product_reader import read_products
from tests.cases import each_case
from tests.extraction.products.shop_pages import URL

SEEN = '<p class="price">$649.00</p><button>Add to cart</button>'


@each_case(
    "hidden",
    [
        '<p class="price" hidden>$64.90</p>',
        '<p class="price" style="display: none">$64.90</p>',
        '<div style="visibility:hidden"><p class="price">$64.90</p></div>',
        '<p class="price" style="position:absolute; left:-9999px">$64.90</p>',
        '<noscript><p class="price">$64.90</p></noscript>',
        '<template><p class="price">$64.90</p></template>',
        '<dialog><p class="price">$64.90</p></dialog>',
    ],
)
def test_a_price_that_readers_do_not_see_is_not_the_price(hidden: str) -> None:
    (found,) = read_products(f"<title>Ibis Scooter</title><h1>Ibis Scooter</h1>{hidden}{SEEN}", url=URL)
    assert str(found.price_numeric) == "649.00"


def test_a_page_that_is_hidden_until_its_scripts_have_run_is_read() -> None:
    body = f'<div style="visibility:hidden"><h1>Ibis Scooter</h1>{SEEN}<p>{"It rolls well. " * 40}</p></div>'
    (found,) = read_products(f"<title>Ibis Scooter</title>{body}", url=URL)
    assert str(found.price_numeric) == "649.00"
