"""`python -m benchmarks.reporting.report_web.serve [series]` serves the benchmark's web until its parent ends."""

import asyncio
import sys

from benchmarks.reporting.report_web.world import local_world
from research_crawler.demo.demo_server import LocalWeb, free_port
from research_crawler.demo.hazards import WebOptions
from research_crawler.demo.process import serve_until_stopped


def main() -> None:
    """Choose a port first, because pages name it."""
    port = free_port([host.ip for host in local_world(0).hosts.values()])
    asyncio.run(
        serve_until_stopped(
            LocalWeb(WebOptions(port=port), world=local_world(port, has_series="series" in sys.argv))
        )
    )


if __name__ == "__main__":
    main()
