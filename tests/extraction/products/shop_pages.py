"""Builds small pages of invented shops for the tests."""

import json

URL = "https://shop.example.com/p/aurora-15-laptop-482913"


def page(
    body: str, *, head: str = "", lang: str = "en", title: str = "Aurora 15 Laptop | Example Shop"
) -> str:
    """Build a page with a title and the usual header and footer."""
    return (
        f'<!doctype html><html lang="{lang}"><head><title>{title}</title>{head}</head>'
        f"<body><header><a href='/cart'>Cart 0</a></header>{body}<footer>© 2026</footer></body></html>"
    )


def json_ld(value: object) -> str:
    """A JSON-LD block."""
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def product(**fields: object) -> dict[str, object]:
    """A schema.org Product."""
    return {"@context": "https://schema.org", "@type": "Product", "name": "Aurora 15 Laptop", **fields}


def offer(price: object, currency: str = "USD", **fields: object) -> dict[str, object]:
    """A schema.org Offer."""
    return {"@type": "Offer", "price": price, "priceCurrency": currency, **fields}
