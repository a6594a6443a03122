"""A node that renders pages of the demo web: `python -m benchmarks.crawling.rendering_child PAGES BATCH URL …`.

After each batch, stdout gets a line of JSON, {pages, read, processes, browser_mb, own_mb}, measured at rest.
"""

import asyncio
import json
import sys
from typing import Any

import psutil

from research_crawler.configuration import load_system_config
from research_crawler.core.errors import ResearchError
from research_crawler.runtime.runtime import Runtime, running
from research_crawler.services.fetch_once import visit_one

REST_S, VISIT_S, LEAST_TOKENS = 1.0, 60.0, 50


async def main() -> None:
    """Render batch after batch."""
    results, sys.stdout = sys.stdout, sys.stderr
    pages, batch, urls = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    async with running(load_system_config(), plan=False, warm=False) as runtime:
        for start in range(0, pages, batch):
            asked = [f"{urls[number % len(urls)]}?n={number}" for number in range(start, start + batch)]
            read = sum(await asyncio.gather(*(_is_read(runtime, url) for url in asked)))
            await asyncio.sleep(REST_S)
            results.write(json.dumps({"pages": start + batch, "read": read} | _footprint()) + "\n")
            results.flush()


async def _is_read(runtime: Runtime, url: str) -> bool:
    try:
        event = await visit_one(runtime, url, render="always", timeout_s=VISIT_S)
    except ResearchError:
        return False
    return event.page is not None and event.page.tokens >= LEAST_TOKENS


def _footprint() -> dict[str, Any]:
    """Processes and memory of browser and driver. Memory that several processes share counts once (PSS)."""
    node = psutil.Process()
    browser = [child for child in node.children(recursive=True) if _is_browser(child)]
    return {
        "processes": len(browser),
        "browser_mb": round(sum(_memory_mb(child) for child in browser), 1),
        "own_mb": round(_memory_mb(node), 1),
    }


def _is_browser(process: psutil.Process) -> bool:
    try:
        return any(name in " ".join(process.cmdline()) for name in ("chrom", "playwright"))
    except psutil.Error:
        return False


def _memory_mb(process: psutil.Process) -> float:
    try:
        found: float = process.memory_full_info().pss
    except psutil.Error:
        return 0.0
    return found / 1e6


if __name__ == "__main__":
    asyncio.run(main())
