"""`python -m benchmarks.batches.columns_serve` serves the web of the benchmark `columns` until its parent ends."""

import asyncio

from benchmarks.batches.columns_world import columns_world
from research_crawler.demo.demo_server import LocalWeb
from research_crawler.demo.process import serve_until_stopped


def main() -> None:
    """Serve the things beside the demo web."""
    asyncio.run(serve_until_stopped(LocalWeb(world=columns_world())))


if __name__ == "__main__":
    main()
