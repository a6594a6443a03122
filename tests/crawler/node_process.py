"""A crawler node as a process of its own; says `ready` on stdout and stops in order at SIGTERM.

node_process.py SETTINGS: settings as JSON. What breaks on purpose is asked for in the query of a command's URL:
`?fault=<name>`, see `Faults`; `?slow=<seconds>` lets its extraction take so long.
"""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, str(Path(__file__).parents[2]))

import uvloop
from scrapy import signals
from scrapy.exceptions import DropItem

from research_crawler import app, settings
from research_crawler.configuration import load_system_config
from research_crawler.core import crawler_services
from research_crawler.core.errors import LeaseLost
from research_crawler.core.models.messages.commands import PageCommand
from research_crawler.extensions import lease_keeper
from research_crawler.frontier.request_state import find_state
from research_crawler.frontier.scheduler import FrontierScheduler
from research_crawler.handlers import typist
from research_crawler.runtime import logs
from research_crawler.spiders.command_spider import CommandSpider

META_KEYS = "meta keys: "


def asked_for(name: str, url: str) -> str:
    return parse_qs(urlsplit(url).query).get(name, [""])[0]


def of_command(name: str, command: Any) -> str:
    """What the address that a command was asked for says; a search has none."""
    return asked_for(name, command.requested_url) if isinstance(command, PageCommand) else ""


def fault_of(task: Any) -> str:
    return of_command("fault", task.command) if task else ""


def fault_of_request(request: Any) -> str:
    state = find_state(request)
    return fault_of(state.task if state else None)


class MetaWatch:
    """Logs what stands in the meta of requests when they leave the downloader, each set of keys once."""

    def __init__(self, crawler: Any) -> None:
        self.seen: set[tuple[str, ...]] = set()
        crawler.signals.connect(self.note, signals.request_left_downloader)

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        return cls(crawler)

    def note(self, request: Any, **_: Any) -> None:
        keys = tuple(sorted(request.meta))
        if keys not in self.seen:
            self.seen.add(keys)
            sys.stderr.write(f"{META_KEYS}{json.dumps(keys)}\n")
            sys.stderr.flush()


class FaultyPipeline:
    """Raises where `fault` says so."""

    fault = ""

    def process_item(self, item: Any) -> Any:
        if of_command("fault", item.command) == self.fault:
            raise RuntimeError("broken")
        return item


class FirstPipeline(FaultyPipeline):
    fault = "first_pipeline_raises"


class LastPipeline(FaultyPipeline):
    fault = "last_pipeline_raises"


class DroppingPipeline:
    """Drops where the fault says so."""

    def process_item(self, item: Any) -> Any:
        if of_command("fault", item.command) == "pipeline_drops":
            raise DropItem("unwanted")
        return item


class SlowPipeline:
    """Takes its time, as a model does, and ends with the lease."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        made = cls()
        made.crawler = crawler
        return made

    async def process_item(self, item: Any) -> Any:
        seconds = float(of_command("slow", item.command) or 0)
        task = crawler_services.of(self.crawler).node.tasks.get(item.token)
        if task and seconds:
            try:
                await task.run(asyncio.sleep(seconds))
            except LeaseLost:
                raise DropItem("lease lost") from None
        return item


class FaultyMiddleware:
    """A downloader middleware that raises before or after the download."""

    before, after = "", ""

    def process_request(self, request: Any) -> None:
        if fault_of_request(request) == self.before:
            raise RuntimeError("broken")

    def process_response(self, request: Any, response: Any) -> Any:
        if fault_of_request(request) == self.after:
            raise RuntimeError("broken")
        return response


class OuterMiddleware(FaultyMiddleware):
    before, after = "middleware_raises_before_all", "middleware_raises_after_all"


class InnerMiddleware(FaultyMiddleware):
    before, after = "middleware_raises_with_a_permit", "middleware_raises_at_the_last_byte"


def break_the_spider() -> None:
    parse, parse_failure, ending = CommandSpider.parse, CommandSpider.parse_failure, CommandSpider._ending

    async def faulty_parse(self: Any, response: Any, **more: Any) -> AsyncIterator[Any]:
        fault = fault_of_request(response.request)
        if fault == "callback_raises":
            raise RuntimeError("broken")
        if fault != "callback_is_silent":
            async for item in parse(self, response, **more):
                yield item

    async def faulty_parse_failure(self: Any, failure: Any) -> AsyncIterator[Any]:
        if fault_of_request(failure.request) == "errback_raises":
            raise RuntimeError("broken")
        async for item in parse_failure(self, failure):
            yield item

    async def faulty_ending(self: Any, task: Any, error: Any, *more: Any) -> Any:
        if fault_of(task) == "ending_raises":
            raise RuntimeError("broken")
        return await ending(self, task, error, *more)

    CommandSpider.parse = faulty_parse
    CommandSpider.parse_failure = faulty_parse_failure
    CommandSpider._ending = faulty_ending


def break_the_scheduler() -> None:
    enqueue = FrontierScheduler.enqueue_request

    def faulty_enqueue(self: Any, request: Any) -> bool:
        fault = fault_of_request(request)
        if fault == "scheduler_refuses":
            return False
        return True if fault == "scheduler_loses" else enqueue(self, request)

    FrontierScheduler.enqueue_request = faulty_enqueue


def add_to_the_settings() -> None:
    plain = settings.scrapy_settings
    more = {
        "ITEM_PIPELINES": {FirstPipeline: 100, DroppingPipeline: 450, SlowPipeline: 460, LastPipeline: 899},
        "DOWNLOADER_MIDDLEWARES": {OuterMiddleware: 60, InnerMiddleware: 950},
        "EXTENSIONS": {MetaWatch: 30},
    }

    def changed(config: Any) -> dict[str, Any]:
        known = plain(config)
        return known | {name: known[name] | value for name, value in more.items()}

    settings.scrapy_settings = changed


async def main() -> None:
    config = load_system_config(**json.loads(sys.argv[1]))
    logs.configure_logging("INFO")
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with app.running(config, crawl=True, plan=False, warm=False):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await stopped.wait()


if __name__ == "__main__":
    lease_keeper.DRAIN_S = 1.0
    typist.SHOW_S = typist.LEAVE_S = 30.0  # a browser on a busy machine
    break_the_spider()
    break_the_scheduler()
    add_to_the_settings()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
