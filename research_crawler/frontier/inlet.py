"""The inlet: scrapy-redis' `<spider>:start_urls`, whose entries become commands without a job."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import structlog
from pydantic import ValidationError
from redis.exceptions import ResponseError

from research_crawler.core.crawl_ports import CrawlFrontier
from research_crawler.core.models.commands import Command
from research_crawler.core.urls import canonical_url, target_of

log = structlog.get_logger(__name__)
INLET, BATCH = "page:start_urls", 50
OPTIONS = ("priority", "max_age_s")


async def drain_inlet(frontier: CrawlFrontier, spiders: Sequence[str]) -> int:
    """Move what waits in `page:start_urls` into the frontier; how many entries.

    An entry is a URL or JSON `{"url": …, "meta": {"priority": …, "max_age_s": …}}`. It leaves its list only after
    it was pushed; its id is made from its text, so an entry read twice is one command.
    """
    if "page" not in spiders:
        return 0
    try:
        entries = await frontier.inlet_read(INLET, BATCH)
    except (ResponseError, UnicodeError) as error:
        log.warning("the inlet is no list of texts; remove it", key=INLET, error=str(error))
        return 0
    for entry in entries:
        command = _command(entry)
        if command:
            await frontier.push([command])
        else:
            log.warning("entry of start_urls is no http(s) URL", entry=entry[:200])
        await frontier.inlet_remove(INLET, entry)
    return len(entries)


def _command(entry: str) -> Command | None:
    url, meta = _read(entry)
    url = canonical_url(url)
    if not url:
        return None
    target = target_of(url)
    number = hashlib.sha256(entry.encode()).hexdigest()[:16]
    fields = {"id": f"-:{number}", "job": "-", "url": url, "slot": target.slot, "h": target.h}
    try:
        return Command.model_validate(fields | {"asked": url, "asked_h": target.h} | meta)
    except ValidationError:
        log.warning("meta of start_urls does not validate and is left out", entry=entry[:200])
        return Command.model_validate(fields | {"asked": url, "asked_h": target.h})


def _read(entry: str) -> tuple[str, dict[str, Any]]:
    """URL, and those of the command's options that the entry brings."""
    try:
        data = json.loads(entry)
    except ValueError:
        return entry, {}
    if not isinstance(data, dict):
        return str(data), {}
    meta = data.get("meta")
    options = {name: meta[name] for name in OPTIONS if name in meta} if isinstance(meta, dict) else {}
    return str(data.get("url", "")), options
