"""The simulated shops of the month of watches, their pages, and the watches on them."""

import random
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import CommandDone, PageReading
from research_crawler.core.models.offers.products import Product, Provenance
from research_crawler.core.models.watches.watch import AlertRule, Schedule, Watch, WatchPage

DAYS = 30
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
START_MS = 1_774_310_400_000
"""24 March 2026: Europe changes its clocks in the first week."""
BLOCKED, BROKEN, FLICKER = 0.03, 0.03, 0.01
"""Shares of fetches: a wall, a 5xx, a wrong price."""
WRONG = ("0.1", "0.5", "0.8", "0.9", "0.95", "1.1", "1.3", "2")
"""Factors of a wrong price, relative to the true price."""
CHANGE_EVERY_DAYS = 6.0


@dataclass
class Shop:
    """The true price of one product over time, and the price that a fetch shows."""

    steps: list[tuple[int, Decimal]]
    """(from, price), in order."""
    random: random.Random

    def price_at(self, at_ms: int) -> Decimal:
        return next(price for begin, price in reversed(self.steps) if begin <= at_ms)

    def fetched(self, command: Command, at_ms: int) -> CommandDone:
        drawn = self.random.random()
        made: dict[str, Any] = {"uid": command.id, "kind": "done", "job": command.job, "command": command.id}
        if drawn < BLOCKED:
            return CommandDone(**made, outcome="blocked", reason="captcha")
        if drawn < BLOCKED + BROKEN:
            return CommandDone(**made, outcome="failed", reason="http 503")
        price = self.price_at(at_ms)
        if drawn > 1 - FLICKER:
            price = (price * Decimal(self.random.choice(WRONG))).quantize(Decimal("0.01"))
        page = PageReading(url=command.url, final_url=command.url, sha="ab" * 32)
        return CommandDone(**made, page=page, products=[_product(command.url, price)])


def make_watch(number: int, drawn: random.Random) -> Watch:
    """Make a watch of one page: every eight hours, every day or two, or by cron in one of three zones."""
    anchor = START_MS + drawn.randrange(DAY // 2)
    schedule = Schedule(every_ms=DAY if number % 4 == 3 else 2 * DAY, anchor_ms=anchor)
    if number % 20 == 0:
        schedule = Schedule(every_ms=8 * HOUR, anchor_ms=anchor)
    elif number % 10 == 1:
        zone = drawn.choice(["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
        cron = f"{drawn.randrange(60)} {drawn.choice([1, 2, 3, 9, 18])} * * *"
        schedule = Schedule(cron=cron, zone=zone, anchor_ms=anchor)
    url = f"https://shop{number}.example/p"
    return Watch(
        id=f"watch{number:07}",
        name=url,
        urls=[url],
        pages=[WatchPage(url=url, host=f"shop{number}.example", currency="EUR")],
        schedule=schedule,
        rule=AlertRule(below=Decimal(900), currency="EUR"),
        notify=["https://hook.example/x"],
        created_ms=anchor,
    )


def first_slot(watch: Watch) -> int:
    """The slot before the first slot of the watch."""
    return -1 if watch.schedule.every_ms else watch.created_ms


def make_shop(drawn: random.Random) -> Shop:
    """Make a shop whose price changes every few days."""
    steps, at_ms = [(0, Decimal(drawn.randrange(85_000, 120_000)) / 100)], START_MS
    while (at_ms := at_ms + int(drawn.expovariate(1 / (CHANGE_EVERY_DAYS * DAY)))) < START_MS + DAYS * DAY:
        steps.append((at_ms, Decimal(drawn.randrange(75_000, 120_000)) / 100))
    return Shop(steps, random.Random(drawn.random()))


def _product(url: str, price: Decimal) -> Product:
    return Product(
        name="Laptop 16",
        price_numeric=price,
        currency="EUR",
        vendor=url.split("/")[2],
        url=url,
        availability="in_stock",
        provenance={"price": Provenance(source="json_ld", confidence=0.9)},
    )
