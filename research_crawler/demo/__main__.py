"""`python -m research_crawler.demo` serves the demo web until it is stopped or its parent process ends."""

import argparse
import asyncio
import json

from research_crawler.demo.demo_server import LocalWeb
from research_crawler.demo.hazards import WebOptions
from research_crawler.demo.process import serve_until_stopped


def main() -> None:
    """Parse the options and serve."""
    parser = argparse.ArgumentParser(prog="python -m research_crawler.demo", description=__doc__)
    parser.add_argument("--port", type=int, help="port of all hosts (default: a free one)")
    parser.add_argument("--latency-ms", type=float, help="time added to every response")
    parser.add_argument("--options", default="{}", help="further options as JSON")
    arguments = parser.parse_args()
    given = {"port": arguments.port, "latency_ms": arguments.latency_ms}
    named = {name: value for name, value in given.items() if value is not None}
    chosen = WebOptions.model_validate(json.loads(arguments.options) | named)
    asyncio.run(serve_until_stopped(LocalWeb(chosen)))


if __name__ == "__main__":
    main()
