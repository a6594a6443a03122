"""`scrapy crawl page -a url=…` reads one page, prints it and ends; without a URL it says what the spider waits for."""

import asyncio
import secrets
import sys

from scrapy import Spider, signals
from scrapy.crawler import Crawler

from research_crawler.core import crawler_services
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import Command, VisitCommand
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.text.plain_text import clean
from research_crawler.core.web.urls import canonical_url, frontier_target

PAGE_WAITED_FOR_S = 600.0
"""How long the page is waited for: its host may rest, and other commands may stand before it."""

log = get_log(__name__)


class OnePage:
    """Does what the arguments of a spider of ours ask for, in a crawler that Scrapy's command line started."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._task: asyncio.Task[None] | None = None
        crawler.signals.connect(self.begin, signals.spider_opened)

    def begin(self, spider: Spider) -> None:
        """Read the page that the spider was given, or tell that it waits for commands of jobs."""
        url = str(getattr(spider, "url", "") or "")
        if not url:
            log.warning(
                f"the spider {spider.name} waits for commands of jobs; `-a url=…` reads one page and ends"
            )
            return
        self._task = asyncio.ensure_future(self._read_and_end(spider.name, url))

    async def _read_and_end(self, spider: str, url: str) -> None:
        try:
            await self._read(spider, url)
        except Exception as error:
            log.exception("the page could not be read", url=url, reason=repr(error))
        finally:
            await self._crawler.engine.close_spider_async(reason="finished")

    async def _read(self, spider: str, url: str) -> None:
        canonical = canonical_url(url)
        if spider != "page":
            log.error(f"the spider {spider} reads no single page; use `scrapy crawl page -a url={url}`")
        elif not canonical:
            log.error(f"{url!r} is not an http(s) URL; write -a url=https://…")
        else:
            await self._tell(await self._event_of(_command(canonical)))

    async def _event_of(self, command: Command) -> CommandDone | None:
        node = crawler_services.of(self._crawler).node
        try:
            async with (
                asyncio.timeout(PAGE_WAITED_FOR_S),
                node.frontier.subscribe_settled(command.id) as wakes,
            ):
                await node.frontier.push([command])
                node.note_push()
                while not (texts := wakes.take_texts()):
                    await wakes.wait(PAGE_WAITED_FOR_S)
        except TimeoutError:
            await node.frontier.withdraw(command.id)
            return None
        return CommandDone.from_wire(texts[0])

    async def _tell(self, event: CommandDone | None) -> None:
        if event is None or event.page is None:
            why = (
                f"{event.outcome}: {event.reason}" if event else f"no answer within {PAGE_WAITED_FOR_S:.0f} s"
            )
            log.error(f"the page was not read ({why})")
            return
        page = await crawler_services.of(self._crawler).archive.get_page(event.page.sha)
        sys.stdout.write(f"{clean(page.page.markdown if page else '')}\n")


def _command(url: str) -> VisitCommand:
    page = frontier_target(url)
    number = secrets.token_hex(8)
    return VisitCommand(
        id=f"-:{number}", job="-", url=page.url, slot=page.slot, page_key=page.page_key,
        requested_url=page.url, requested_page_key=page.page_key,
        priority=0, retries_unreachable=True,
    )  # fmt: skip
