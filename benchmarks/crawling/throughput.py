"""Measures pages per second of one node on 64 loopback hosts, and of three other crawls of the same pages."""

import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.figures import Calibration, Figure
from research_crawler.demo.process import RunningLoad, local_load_process

HOSTS, PAGES, RUNS = 64, 3_000, 5
MODES = ("plain", "ours", "memory", "stock")
LEAST_OF_PLAIN, LEAST_OF_MEMORY = 1.15, 0.85


@dataclass(frozen=True)
class Crawl:
    """Pages per second, and the CPU time of the crawler process per page."""

    rate: float
    cpu_ms: float


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Run five rounds of all modes in turn. A ratio is the median of the ratios of the rounds."""
    crawls: dict[str, list[Crawl]] = {mode: [] for mode in MODES}
    factors = []
    with local_load_process(hosts=HOSTS) as site:
        for round_ in range(RUNS):
            factors.append(calibration.loop())
            for mode in MODES:
                crawls[mode].append(_crawl(mode, site))
            shown = ", ".join(f"{mode} {crawls[mode][-1].rate:,.0f}" for mode in MODES)
            print(f"     round {round_ + 1}: {shown} pages/s, calibration × {factors[-1]:.2f}", flush=True)
    factor = max(factors)
    yield _ratio("our node : plain Scrapy", crawls, "ours", "plain", LEAST_OF_PLAIN, factor)
    name = "our node : Scrapy's memory queue, our handler and loop"
    yield _ratio(name, crawls, "ours", "memory", LEAST_OF_MEMORY, factor)
    yield _ratio("scrapy-redis' scheduler : plain Scrapy", crawls, "stock", "plain", None, factor)


def _ratio(
    name: str, crawls: dict[str, list[Crawl]], mode: str, reference: str, least: float | None, factor: float
) -> Figure:
    pairs = list(zip(crawls[mode], crawls[reference], strict=True))
    ratio = statistics.median(a.rate / b.rate for a, b in pairs)
    by_cpu = statistics.median(b.cpu_ms / a.cpu_ms for a, b in pairs)
    rates = {name: statistics.median(crawl.rate for crawl in crawls[name]) for name in (mode, reference)}
    return Figure(
        name,
        ratio,
        "×",
        target=f"≥ {least:g}" if least else "",
        ok=ratio >= least if least else None,
        reference=f"{reference} {rates[reference]:,.0f} pages/s",
        note=f"{mode} {rates[mode]:,.0f} pages/s; × {by_cpu:.2f} by the crawler's CPU time",
        factor=factor,
    )


def _crawl(mode: str, site: RunningLoad) -> Crawl:
    """Run one crawl in a fresh process, on a fresh Redis if it uses one."""
    with tempfile.TemporaryDirectory() as folder, children() as running:
        path = Path(folder)
        with redis_server(path) as redis_url:
            env = environment(**loopback(home=path, redis_url=redis_url, phase1_visit_delay_seconds=0))
            child = Child.module("crawl_child", mode, site.port, PAGES, HOSTS, env=env, folder=path / "cwd")
            running.append(child)
            result = child.hear()
    assert result["pages"] == PAGES - PAGES // 10, f"{mode} did {result['pages']} pages"
    site.clear_log()
    return Crawl(result["pages"] / result["seconds"], result["cpu_s"] * 1000 / result["pages"])
