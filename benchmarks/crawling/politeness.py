"""Measures the gaps between requests to a host from three crawler processes, in the server's own log."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.crawling.bare_node import commands_for, open_frontier, push_all
from benchmarks.figures import Calibration, Figure, counted, timed
from research_crawler.configuration import load_system_config
from research_crawler.core.models.messages.commands import Command, JobContext
from research_crawler.demo.process import RunningLoad, local_load_process

PROCESSES, HOSTS, DELAY_MS, PAGES_PER_HOST, LATENCY_MS = 3, 40, 100, 40, 20
SLOW_READING_S, SLOW_PAGES, SLOW_DELAY_MS = 10, 20, 300
PACE = 1.2
"""A host is fetched at its delay if the median gap is at most this many times the delay."""
PATIENCE_S = 120.0


@dataclass(frozen=True)
class Seen:
    """Gaps at the server, from the end of a response to the start of the host's next request."""

    gaps_ms: list[float]
    requests: int

    def below(self, delay_ms: float) -> int:
        """How many gaps were too short."""
        return sum(gap < delay_ms for gap in self.gaps_ms)


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Measure our nodes, the same with scrapy-redis, and a host whose pages take long to read."""
    with local_load_process(hosts=HOSTS, latency_ms=LATENCY_MS) as site:
        ours = _crawl_politely(site)
        site.clear_log()
        stock = _crawl_with_stock(site)
    yield counted(
        f"gaps below {DELAY_MS} ms, {PROCESSES} processes, {HOSTS} hosts",
        ours.below(DELAY_MS),
        "gaps",
        ok=not ours.below(DELAY_MS) and ours.requests >= HOSTS * (PAGES_PER_HOST + 1),
        target="0",
        reference=f"scrapy-redis {stock.below(DELAY_MS):,} of {len(stock.gaps_ms):,}",
        note=f"of {len(ours.gaps_ms):,}, robots.txt included; least {min(ours.gaps_ms):.2f} ms, "
        f"median {statistics.median(ours.gaps_ms):.0f} ms",
    )
    with local_load_process(hosts=1, latency_ms=LATENCY_MS) as site:
        (gap_ms, below), factor = calibration.quietest(lambda: _read_slowly(site))
    yield timed(
        f"middle gap of a host whose pages take {SLOW_READING_S} s to read",
        gap_ms,
        "ms",
        most=SLOW_DELAY_MS * PACE,
        factor=factor,
        reference=f"its delay is {SLOW_DELAY_MS} ms",
        note=f"{below} gaps below it",
    )


def seen_by(site: RunningLoad) -> Seen:
    """The gaps of all hosts. A negative gap is an overlap."""
    gaps: list[float] = []
    requests = 0
    for columns in site.log().values():
        spans = sorted(zip(columns["start_ms"], columns["end_ms"], strict=True))
        requests += len(spans)
        free_at = spans[0][1] if spans else 0.0
        for start, end in spans[1:]:
            gaps.append(start - free_at)
            free_at = max(free_at, end)
    return Seen(gaps, requests)


def wait_for(condition: Callable[[], bool], event: str, *, within_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds. `event` names it in the error message.

    Raises:
        TimeoutError: it did not hold in time.
    """
    until = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError(f"{event} did not happen within {within_s:.0f} s")
        time.sleep(0.1)


def page_requests(site: RunningLoad) -> int:
    """The number of requests so far, without those for robots.txt."""
    return sum(path != "/robots.txt" for columns in site.log().values() for path in columns["path"])


def push(redis_url: str, folder: Path, commands: Sequence[Command], *, delay_ms: int) -> None:
    """Push commands into a frontier whose nodes run in other processes."""

    async def work() -> None:
        config = load_system_config(
            home=folder / "pusher", redis_url=redis_url, phase1_visit_delay_seconds=delay_ms / 1000
        )
        async with open_frontier(config) as frontier:
            await push_all(frontier, list(commands))

    asyncio.run(work())


def _urls(site: RunningLoad) -> list[str]:
    return [f"{host}/p/{page}" for page in range(PAGES_PER_HOST) for host in site.hosts]


def _crawl_politely(site: RunningLoad) -> Seen:
    """Crawl with three `research crawl` processes on one Redis."""
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as url, children() as running:
        path = Path(folder)
        settings = loopback(
            home=path, redis_url=url, phase1_visit_delay_seconds=DELAY_MS / 1000, delay_jitter=0
        )
        for number in range(PROCESSES):
            node = Child.research("crawl", env=environment(**settings), folder=path / f"node{number}")
            running.append(node)
        for node in running:
            node.wait_until_up()
        urls = _urls(site)
        push(url, path, commands_for(urls), delay_ms=DELAY_MS)
        wait_for(lambda: page_requests(site) >= len(urls), "the polite crawl")
    return seen_by(site)


def _crawl_with_stock(site: RunningLoad) -> Seen:
    """Crawl with three scrapy-redis processes on one Redis, with the same delay."""
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as url, children() as running:
        path = Path(folder)
        env = environment(**loopback(home=path, redis_url=url))
        for number in range(PROCESSES):
            delay = DELAY_MS / 1000
            node = Child.module("stock_child", url, delay, env=env, folder=path / f"node{number}")
            running.append(node)
        for node in running:
            node.hear()
        urls = _urls(site)
        running[0].tell(urls)
        wait_for(lambda: page_requests(site) >= len(urls), "the crawl with scrapy-redis")
    return seen_by(site)


def _read_slowly(site: RunningLoad) -> tuple[float, int]:
    """Median gap in ms of a host whose pages take a model ten seconds each, and the gaps below the delay."""
    site.clear_log()
    with tempfile.TemporaryDirectory() as folder, redis_server(Path(folder)) as url, children() as running:
        path = Path(folder)
        model = Child.module("scripted_model", env=environment(), folder=path / "model")
        running.append(model)
        port = model.hear()["port"]
        model.tell({"extractor": SLOW_READING_S})
        settings = loopback(
            home=path,
            redis_url=url,
            phase1_visit_delay_seconds=SLOW_DELAY_MS / 1000,
            delay_jitter=0,
            openai_base_url=f"http://127.0.0.1:{port}/v1",
            mind_model="scripted",
        )
        node = Child.research("crawl", env=environment(**settings), folder=path / "node")
        running.append(node)
        node.wait_until_up()
        job_context = JobContext(goal="What did the keeper of the harbour repair?")
        commands = commands_for([f"{site.hosts[0]}/p/{page}" for page in range(SLOW_PAGES)])
        commands = [command.changed(job_context=job_context) for command in commands]
        push(url, path, commands, delay_ms=SLOW_DELAY_MS)
        wait_for(lambda: page_requests(site) >= SLOW_PAGES, "the crawl of the slowly read host")
    seen = seen_by(site)
    return statistics.median(seen.gaps_ms), seen.below(SLOW_DELAY_MS)
