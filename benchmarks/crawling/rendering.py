"""Renders 240 pages in one browser and checks that its processes and memory stay flat after the warm-up."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.children import Child, children, environment, loopback
from benchmarks.figures import Calibration, Figure, counted
from research_crawler.adapters.browser_program import HOW_TO_GET, find_browser
from research_crawler.core.config import load_core_config
from research_crawler.demo.process import local_web_process

PAGES, BATCH, WARM_BATCHES = 240, 20, 2
GROWTH = 1.10
"""Most growth from the first third to the last. A renderer's heap varies by some per cent between batches."""


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Render batch after batch with one node."""
    if find_browser(load_core_config()) is None:
        yield Figure("pages rendered", 0, "pages", note=HOW_TO_GET)
        return
    begun = time.perf_counter()
    with local_web_process() as web, tempfile.TemporaryDirectory() as folder, children() as running:
        settings = loopback(home=folder, phase1_visit_delay_seconds=0)
        urls = [web.hazards[name] for name in ("script_built", "script_private")]
        child = Child.module(
            "rendering_child", PAGES, BATCH, *urls, env=environment(**settings), folder=Path(folder)
        )
        running.append(child)
        rows: list[dict[str, Any]] = []
        for _ in range(PAGES // BATCH):
            rows.append(child.hear())
            print(rows[-1])
        seconds = time.perf_counter() - begun
    steady = rows[WARM_BATCHES:]
    third = len(steady) // 3
    read = sum(row["read"] for row in rows)
    yield counted("pages rendered and read", read, "pages", ok=read == PAGES, target=str(PAGES))
    yield Figure("rendered pages a second", PAGES / seconds, "1/s", note="4 at once, start included")
    processes = [row["processes"] for row in steady]
    yield counted(
        "browser processes at rest, most over least", max(processes) - min(processes), "",
        ok=max(processes) - min(processes) <= 1, target="≤ 1", note=f"{min(processes)} to {max(processes)}",
    )  # fmt: skip
    for name, key in (("browser's", "browser_mb"), ("node's own", "own_mb")):
        first = statistics.mean(row[key] for row in steady[:third])
        last = statistics.mean(row[key] for row in steady[-third:])
        yield counted(
            f"{name} memory, last third over first", last / first, "", ok=last / first <= GROWTH,
            target=f"≤ {GROWTH}", note=f"{first:.0f} → {last:.0f} MB",
        )  # fmt: skip
