"""Read one page as the crawler does: its kind, its text and its products. It needs neither Redis nor a network.

python examples/read_a_page.py [FILE URL]
"""

import sys
from pathlib import Path

from research_crawler.extraction.page import read_page
from research_crawler.extraction.products.product_reader import read_products

PAGE = b"""<!doctype html><html lang="en"><head><title>Velmar Pocket hand grinder | Corner Shop</title>
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product", "name": "Velmar Pocket",
"sku": "VP-387", "offers": {"@type": "Offer", "price": "79.90", "priceCurrency": "EUR",
"availability": "https://schema.org/InStock"}}</script></head>
<body><nav><a href="/">Home</a> <a href="/cart">Cart</a></nav>
<main><h1>Velmar Pocket</h1><p class="price">79,90 \xe2\x82\xac</p>
<p>The Velmar Pocket weighs 387 g and grinds 20 g of coffee in under a minute. Its handle folds flat, so that nothing
sticks out of the bag.</p></main><footer>Imprint, privacy, terms</footer></body></html>"""


def show(body: bytes, url: str) -> None:
    """Print the text, the metadata and the products of a page."""
    page = read_page(body, url=url, headers={}, status=200)
    print(f"kind: {page.kind}; title: {page.title}; language: {page.language}")
    print(page.markdown)
    for product in read_products(body, url=url):
        print(f"sells: {product.name} for {product.currency} {product.price_numeric}, {product.availability}")


def main(file: str = "", url: str = "https://shop.example/p/velmar-pocket") -> None:
    """Read a saved page, or the page above if no file is given."""
    show(Path(file).read_bytes() if file else PAGE, url)


if __name__ == "__main__":
    main(*sys.argv[1:3])
