"""Calls shops by their names, for the pages that people see."""

import asyncio
from collections.abc import Iterable

from research_crawler.runtime.runtime import Runtime


async def shop_names(runtime: Runtime, hosts: Iterable[str]) -> dict[str, str]:
    """The names of those of `hosts` that the vendors' catalogue knows, by host."""
    from research_crawler.adapters.vendor_catalogue import load_catalogue

    catalogue = await asyncio.to_thread(load_catalogue, runtime.config)
    found = {host: catalogue.match(f"https://{host}/") for host in set(hosts) if host}
    return {host: vendor.name for host, vendor in found.items() if vendor and vendor.name != host}
