"""Watch an offer, let the shop lower its price, and see the confirmed drop. Runs offline, on the demo web.

Any program can do the same: every command prints one JSON document with `--json`.

python examples/track_a_price.py
"""

import json
import os
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import Any

from research_crawler.demo.process import RunningWeb, local_web_process
from research_crawler.demo.shops import planted_offers


def research(*arguments: str, settings: dict[str, str]) -> Any:
    """The answer of one `research` command."""
    command = [sys.executable, "-m", "research_crawler.cli", *arguments, "--json"]
    done = subprocess.run(command, env=os.environ | settings, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def demo_settings(web: RunningWeb, home: str) -> dict[str, str]:
    """Settings under which the demo web is the whole web, and a second look comes at once."""
    return {
        "RESEARCH_HOME": home,
        "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
        "PHASE1_VISIT_DELAY_SECONDS": "0",
        "RESEARCH_WATCH_CONFIRM_SECONDS": "0.1",
    }


def main() -> None:
    """Add a watch, look, lower the price, look again."""
    with TemporaryDirectory() as home, local_web_process() as web:
        settings = demo_settings(web, home)
        offer = planted_offers(web.hosts)[0]
        watch = research("watch", "add", offer.url, "--every", "6h", "--drop", "10%", settings=settings)["id"]
        research("watch", "run", watch, settings=settings)
        web.change_shops(sku=offer.sku, price=str(round(offer.price * 8 / 10, 2)))
        result = research("watch", "run", watch, settings=settings)
    for seen in result["observations"]:
        print(f"{seen['currency']} {seen['price']}, confirmed: {seen['confirmed']}")
    for alert in result["alerts"]:
        print(f"alert: {alert['title']}")


if __name__ == "__main__":
    main()
