"""Measures the time from push to parsed response on an idle node, and on an idle scrapy-redis spider."""

import asyncio
import json
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import redis

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.crawling.bare_node import commands_for
from benchmarks.figures import QUIET, Calibration, Figure, percentile, timed
from research_crawler.adapters.redis.connection import connect_url
from research_crawler.demo.process import RunningLoad, local_load_process
from research_crawler.frontier.store import Frontier

RUNS, PUSHES = 5, 400
SETTLE_S = (0.003, 0.006)
"""Pause before the next push, in which the command is settled and the node becomes idle again."""
STOCK_PUSHES, STOCK_GAP_S = 20, 5.0
"""scrapy-redis looks for work every 5 s, so pushes come at any point between two looks."""
WARM_UP = 50
P50_MS, P99_MS = 5.0, 30.0


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Push 2,000 commands in five runs. Meanwhile scrapy-redis gets its 20, which costs next to nothing."""
    with (
        tempfile.TemporaryDirectory() as folder,
        local_load_process(hosts=8) as site,
        redis_server(Path(folder)) as redis_url,
        children() as running,
    ):
        settings = loopback(home=folder, redis_url=redis_url, phase1_visit_delay_seconds=0)
        env = environment(**settings)
        ours, stock = (_start(mode, env, folder, running) for mode in ("ours", "stock"))
        waits_ms: list[float] = []
        stock_pushes = threading.Thread(target=_push_to_stock, args=(redis_url, site, stock, waits_ms))
        stock_pushes.start()
        numbers = iter(range(1_000_000))
        _run(redis_url, site, ours, numbers, WARM_UP)
        runs = [
            calibration.quietest(lambda: _run(redis_url, site, ours, numbers, PUSHES)) for _ in range(RUNS)
        ]
        stock_pushes.join()
    yield from _figures(runs, waits_ms)


def _figures(runs: list[tuple[list[float], float]], stock_ms: list[float]) -> Iterator[Figure]:
    quiet = [run for run in runs if run[1] <= QUIET] or runs
    all_ms = [ms for run, _ in quiet for ms in run]
    factor = statistics.median(factor for _, factor in runs)
    note = f"{len(all_ms):,} pushes in {len(quiet)} runs"
    reference = f"scrapy-redis p50 {statistics.median(stock_ms):,.0f} ms of {len(stock_ms)}"
    yield timed("push → response parsed, p50", statistics.median(all_ms), "ms", most=P50_MS, factor=factor,
                reference=reference, note=note)  # fmt: skip
    reference = f"scrapy-redis max {max(stock_ms):,.0f} ms"
    yield timed("push → response parsed, p99", percentile(all_ms, 0.99), "ms", most=P99_MS, factor=factor,
                reference=reference, note=f"max {max(all_ms):.1f} ms")  # fmt: skip


def _start(mode: str, env: dict[str, str], folder: str, running: list[Child]) -> Child:
    child = Child.module("latency_child", mode, env=env, folder=Path(folder, mode))
    running.append(child)
    child.hear()
    return child


def _run(redis_url: str, site: RunningLoad, child: Child, numbers: Iterator[int], pushes: int) -> list[float]:
    return asyncio.run(_push_to_ours(redis_url, site, child, numbers, pushes))


async def _push_to_ours(
    redis_url: str, site: RunningLoad, child: Child, numbers: Iterator[int], pushes: int
) -> list[float]:
    """The time in ms from each push until the node has parsed the page."""
    waits_ms = []
    client: Any = connect_url(redis_url)
    frontier = Frontier(client)
    for _ in range(pushes):
        number = next(numbers)
        command = commands_for([f"{site.hosts[number % len(site.hosts)]}/p/{number}"])[0]
        command = command.changed(id=f"-:{number}")
        begun_ns = time.monotonic_ns()
        await frontier.push([command])
        id_, parsed_ns = child.hear()
        assert id_ == command.id
        waits_ms.append((parsed_ns - begun_ns) / 1e6)
        await asyncio.sleep(random.uniform(*SETTLE_S))
    await frontier.close()
    await client.aclose()
    return waits_ms


def _push_to_stock(redis_url: str, site: RunningLoad, child: Child, waits_ms: list[float]) -> None:
    """Measure the same for scrapy-redis, with its own list of start URLs."""
    client: Any = redis.Redis.from_url(redis_url, socket_timeout=30)
    for number in range(STOCK_PUSHES):
        time.sleep(random.uniform(0, STOCK_GAP_S))
        begun_ns = time.monotonic_ns()
        client.rpush("stock:start_urls", json.dumps({"url": f"{site.hosts[0]}/p/{number}"}))
        _, parsed_ns = child.hear()
        waits_ms.append((parsed_ns - begun_ns) / 1e6)
    client.close()
