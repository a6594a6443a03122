"""Watch an offer, lower its price in the demo shop, and print the confirmed drop. It runs offline.

Any program can do the same, because every command prints one JSON document with `--json`.

python examples/track_a_price.py
"""

import json
import os
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import Any

from research_crawler.demo.process import RunningWeb, local_web_process
from research_crawler.demo.shops.shop_data import planted_offers


def research(*arguments: str, settings: dict[str, str]) -> Any:
    """Run one `research` command and return its JSON answer."""
    command = [sys.executable, "-m", "research_crawler.cli", *arguments, "--json"]
    process = subprocess.run(command, env=os.environ | settings, stdout=subprocess.PIPE, check=True)
    return json.loads(process.stdout)


def demo_settings(web: RunningWeb, home: str) -> dict[str, str]:
    """The settings for the demo web, with a second check of a changed price at once."""
    return {
        "RESEARCH_HOME": home,
        "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
        "PHASE1_VISIT_DELAY_SECONDS": "0",
        "RESEARCH_WATCH_CONFIRM_SECONDS": "0.1",
    }


def main() -> None:
    """Add a watch, check the price, lower it, and check it again."""
    with TemporaryDirectory() as home, local_web_process() as web:
        settings = demo_settings(web, home)
        offer = planted_offers(web.hosts)[0]
        watch = research("watch", "add", offer.url, "--every", "6h", "--drop", "10%", settings=settings)["id"]
        research("watch", "run", watch, settings=settings)
        web.change_shops(sku=offer.sku, price=str(round(offer.price * 8 / 10, 2)))
        result = research("watch", "run", watch, settings=settings)
    for observation in result["observations"]:
        print(f"{observation['currency']} {observation['price']}, confirmed: {observation['confirmed']}")
    for alert in result["alerts"]:
        print(f"alert: {alert['title']}")


if __name__ == "__main__":
    main()
