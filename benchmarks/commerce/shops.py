"""Reads the offers of the demo web's shops with a whole node: correct fields, walls, and a purchase.

The reference is the first offer in the structured data (JSON-LD, microdata, RDFa, OpenGraph) of the same
pages.
"""

import asyncio
import json
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import redis

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.crawling.bare_node import open_frontier
from benchmarks.crawling.politeness import wait_for
from benchmarks.figures import Calibration, Figure, counted
from planner.job.factory import make_job
from research_crawler.adapters.browser_program import HOW_TO_GET, find_browser
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.models.messages.commands import Command, VendorCommand, VendorSpec
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.offers.products import Product
from research_crawler.core.web.urls import canonical_url, frontier_target
from research_crawler.demo.process import RunningWeb, local_web_process
from research_crawler.demo.shops.shop_data import (
    FIELDS,
    PlantedOffer,
    Shop,
    planted_offers,
    read_purchases,
    read_shops,
    score_offer,
    search_url,
)
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.products.product_reader import read_structured
from research_crawler.extraction.products.visible.product_page import ProductPage

QUERY = "Orlo Lynx 15 RTX 4060"
WALLS = {"gatekeep": "blocked", "brownout": "failed", "hedge": "refused"}
"""Shops whose search page cannot be read, and how its command must end."""
VENDORS = 3


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Read every product page and every search page, then run a whole job."""
    with local_web_process() as web:
        shops = _shops_to_ask()
        planted = [offer for offer in planted_offers(web.hosts) if offer.shop in shops]
        commands = [_command(offer.url, page="product") for offer in planted]
        searched = list(dict.fromkeys([*shops, *WALLS]))
        searches = [_search(key, web) for key in searched]
        events = _read(commands + searches)
        pages, lists = events[: len(commands)], dict(zip(searched, events[len(commands) :], strict=True))
        yield from _fields(planted, pages, _stated(planted))
        yield _first_rows(web, {key: event for key, event in lists.items() if key not in WALLS})
        yield _walls(lists)
        yield from _purchases(web)


def _shops_to_ask() -> dict[str, Shop]:
    """The open shops. The shop made by scripts is among them only if there is a browser."""
    has_browser = find_browser(load_system_config()) is not None
    if not has_browser:
        print(HOW_TO_GET)
    _, shops = read_shops()
    return {
        key: shop
        for key, shop in shops.items()
        if shop.behaviour == "plain" and (has_browser or shop.style != "script")
    }


def _fields(
    planted: Sequence[PlantedOffer], events: Sequence[CommandDone], stated: Counter[str]
) -> Iterator[Figure]:
    scores = [
        score_offer(offer, event.products[0] if event.products else None)
        for offer, event in zip(planted, events, strict=True)
    ]
    for name in FIELDS:
        right = sum(score.found and name not in score.wrong for score in scores)
        wrong = [score.sku for score in scores if not score.found or name in score.wrong]
        yield counted(
            f"product pages with the right {name}", right, "pages", ok=right == len(planted),
            target=str(len(planted)), reference=f"{stated[name]} by the first structured offer",
            note=f"wrong: {', '.join(wrong[:5])}" if wrong else "",
        )  # fmt: skip


def _stated(planted: Sequence[PlantedOffer]) -> Counter[str]:
    """For each field, on how many pages the first structured offer has it right."""
    right: Counter[str] = Counter()
    for truth in planted:
        with urllib.request.urlopen(truth.url) as answer:
            page = ProductPage.of(parse_html(answer.read().decode()), url=truth.url)
        offers = [
            offer for mention in read_structured(page) for offer in mention.every_offer() if offer.price
        ]
        if not offers:
            continue
        first = offers[0]
        read = Product(
            name=truth.name,
            price_numeric=first.price.amount if first.price else None,
            currency=first.price.currency if first.price else "",
            availability=first.availability,
            condition=first.condition,
        )
        right.update(set(FIELDS) - set(score_offer(truth, read).wrong))
    return right


def _first_rows(web: RunningWeb, lists: dict[str, CommandDone]) -> Figure:
    """Count the search pages whose first row is the product that was searched for, at its price."""
    planted = {offer.url: offer for offer in planted_offers(web.hosts)}
    wrong = []
    for shop, event in lists.items():
        row = event.products[0] if event.products else None
        true = planted.get(row.url) if row else None
        if not (row and true and true.offer.article == "lynx-15" and row.price_numeric == true.price):
            wrong.append(shop)
    return counted(
        "search pages whose first row is the product", len(lists) - len(wrong), "shops", ok=not wrong,
        target=str(len(lists)), note=f"wrong: {', '.join(wrong)}" if wrong else "",
    )  # fmt: skip


def _walls(lists: dict[str, CommandDone]) -> Figure:
    outcomes = {key: (lists[key].outcome, lists[key].reason) for key in WALLS}
    right = sum(outcomes[key][0] == what and not lists[key].products for key, what in WALLS.items())
    return counted(
        "walls and failures that are states without a price", right, "shops", ok=right == len(WALLS),
        target=str(len(WALLS)),
        note="; ".join(f"{key}: {what} {reason}" for key, (what, reason) in outcomes.items()),
    )  # fmt: skip


def _purchases(web: RunningWeb) -> Iterator[Figure]:
    """Run a whole job for each purchase: three vendors, and the product that forum and testers recommend."""
    for purchase in read_purchases():
        begun = time.monotonic()
        report = _bought(web, purchase.goal)
        phase2: dict[str, Any] = report.get("phase2") or {}
        visited = phase2.get("vendors_visited", [])
        best = (phase2.get("recommended") or {}).get("name", "")
        article = read_shops()[0][purchase.recommended[0]]
        yield counted(
            f"purchase “{purchase.id}”: vendors that answered", len(visited), "vendors",
            ok=len(visited) == VENDORS and best.startswith(article.name), target=str(VENDORS),
            note=f"recommends {best or 'nothing'}; {time.monotonic() - begun:.0f} s with start",
        )  # fmt: skip


def _bought(web: RunningWeb, goal: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, children() as running:
        known = Path(folder, "known.toml")
        known.write_text(web.vendors_toml())
        settings = loopback(
            home=folder, searxng_url=web.search, providers=["searxng"], vendors_file=str(known),
            phase1_visit_delay_seconds=0.2,
        )  # fmt: skip
        child = Child.research("run", goal, "--json", env=environment(**settings), folder=Path(folder))
        running.append(child)
        output, _ = child.process.communicate(timeout=180)
    report: dict[str, Any] = json.loads(output) if output.strip() else {}
    return report


def _search(shop: str, web: RunningWeb) -> Command:
    return _command(search_url(read_shops()[1][shop], web.hosts[shop], QUERY), page="search")


def _command(url: str, *, page: str) -> Command:
    target = frontier_target(canonical_url(url))
    spec = VendorSpec.model_validate(
        {"host": target.slot, "page": page, "query": QUERY if page == "search" else ""}
    )
    return VendorCommand(
        id="",
        job="",
        url=target.url,
        slot=target.slot,
        page_key=target.page_key,
        vendor=spec,
    )


def _read(commands: Sequence[Command]) -> list[CommandDone]:
    """Push the commands of a job to a node while no planner runs, and return their events in order."""
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as url, children() as running:
        path = Path(folder)
        settings = loopback(home=path, redis_url=url, phase1_visit_delay_seconds=0.05, delay_jitter=0)
        running.append(Child.research("crawl", env=environment(**settings), folder=path / "node"))
        running[0].wait_until_up()
        job = asyncio.run(_push(load_system_config(**settings), commands))
        client: Any = redis.Redis.from_url(url, decode_responses=True)
        wait_for(lambda: not client.exists(f"research:cmds:{job}"), "the last event")
        events = [CommandDone.from_wire(text) for text in client.lrange(f"research:mail:{job}", 0, -1)]
        client.close()
    by_id = {event.command: event for event in events if event.command}
    return [by_id[f"{job}:{number}"] for number in range(len(commands))]


async def _push(config: Config, commands: Sequence[Command]) -> str:
    async with open_frontier(config) as frontier:
        job = make_job(JobInputs(goal=QUERY), Limits())
        await RedisJobs(frontier.redis).submit(job)
        await frontier.push(
            [command.changed(id=f"{job.id}:{number}", job=job.id) for number, command in enumerate(commands)]
        )
    return job.id
