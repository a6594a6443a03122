"""Watches, products and readings for tests."""

from decimal import Decimal

from research_crawler.core.models.messages.events import CommandDone, PageReading
from research_crawler.core.models.offers.products import Product, Provenance
from research_crawler.core.models.watches.watch import (
    AlertRule,
    Identity,
    Reading,
    Schedule,
    Tracked,
    Watch,
    WatchPage,
)

NOW = 1_766_000_000_000
SHOP = "https://shop.example/p/laptop-4060"
PAGE = WatchPage(url=SHOP, host="shop.example")
ANY = AlertRule(any_change=True)


def a_watch(*pages: WatchPage, rule: AlertRule = ANY, every_ms: int = 3_600_000, **more) -> Watch:
    fields = {"id": "watchaaaaaaa", "name": "laptop", "created_ms": NOW, "notify": ["https://hook.example/x"]}
    schedule = Schedule(every_ms=every_ms, anchor_ms=NOW)
    return Watch.model_validate(
        fields | {"pages": list(pages) or [PAGE], "schedule": schedule, "rule": rule} | more
    )


def a_product(price: str | None = "999.00", **more) -> Product:
    fields = {
        "name": "Laptop 16 RTX 4060",
        "price_numeric": None if price is None else Decimal(price),
        "currency": "EUR",
        "vendor": "shop.example",
        "url": SHOP,
        "availability": "in_stock",
        "provenance": {"price": Provenance(source="json_ld", confidence=0.9)},
    }
    return Product.model_validate(fields | more)


def an_event(command: str, *products: Product, outcome: str = "ok", **more) -> CommandDone:
    page = PageReading(url=SHOP, final_url=SHOP, sha="ab" * 32) if outcome == "ok" else None
    return CommandDone.model_validate(
        {"uid": command, "kind": "done", "command": command, "outcome": outcome, "page": page}
        | {"products": list(products)}
        | more
    )


def a_reading(number: int, price: str | None = "999", *, state: str = "offer", **more) -> Reading:
    fields = {
        "id": f"reading{number}",
        "target": 0,
        "at_ms": NOW + number * 60_000,
        "state": state,
        "identity": an_identity(),
        "price": None if price is None or state != "offer" else Decimal(price),
        "currency": "EUR" if state == "offer" else "",
    }
    return Reading.model_validate(fields | more)


def an_identity(**more) -> Identity:
    fields = {"vendor": "shop.example", "asked": SHOP, "url": SHOP, "name": "Laptop 16 RTX 4060"}
    return Identity.model_validate(fields | more)


def a_tracked(**more) -> Tracked:
    return Tracked.model_validate({"key": "productaaaaa", "identity": an_identity()} | more)
