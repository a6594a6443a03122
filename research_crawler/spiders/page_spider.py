"""Visits pages: sanitizes the bytes of each page and stores the text in the archive before it is used."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import ClassVar, NoReturn

from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.errors import FetchFailed, GiveBack, LeaseLost, PageBlocked, PageUnreadable
from research_crawler.core.failpoints import failpoint
from research_crawler.core.models.messages.commands import FetchCommand, SectionCommand
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import PageText, ParsedPage, Passage, StoredPage
from research_crawler.core.models.why import NO_REASON, Why
from research_crawler.core.tasks.leases import LAST_ATTEMPT, Task
from research_crawler.core.web.urls import canonical_url, frontier_target
from research_crawler.extraction.evidence.identity import page_sha
from research_crawler.frontier.request_state import state_of_response
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.middlewares.politeness import TRANSIENT
from research_crawler.spiders.command_spider import NO_BROWSER, CommandSpider

TOO_MANY = 429
"""HTTP status with which a host asks for patience."""


class PageSpider(CommandSpider):
    """Reads one page per `visit` command."""

    name = "page"
    queues: ClassVar[tuple[str, ...]] = ("page",)

    async def visit(
        self, task: Task, command: FetchCommand | SectionCommand, response: Response
    ) -> CommandItem:
        """The item of a visit, with its page, which is in the archive and known to the frontier.

        Raises:
            FetchFailed: the host answered with a temporary error.
            RequestRefused: the host answered with a permanent error.
            PageBlocked: the host served a wall instead of the page.
            PageUnreadable: the bytes cannot be read as text.
        """
        item = CommandItem(command=task.command, token=task.token)
        stored = state_of_response(response).stored
        if stored is not None:
            item.page, item.from_store = stored, True
            return item
        headers = {k.decode("latin-1").lower(): v[-1].decode("latin-1") for k, v in response.headers.items()}
        if response.status >= 400:
            await self._raise_http_error(task, response, headers)
        if isinstance(command, SectionCommand):  # its page is stored, or the request was refused
            raise PageUnreadable(Reason.NOT_KEPT)
        item.page, item.passages, item.processed = await self._store(task, command, response, headers)
        return item

    async def _raise_http_error(self, task: Task, response: Response, headers: dict[str, str]) -> NoReturn:
        """Raise the error of an HTTP error page: a wall, or a plain error.

        A host that asks for fewer requests is tried again later; only on the last attempt does that count as a wall.
        """
        reason, is_transient = Why(Reason.HTTP, str(response.status)), response.status in TRANSIENT
        pool = crawler_services.of(self.crawler).parse_pool
        search = pool.find_blocker(response.body, url=response.url, headers=headers, status=response.status)
        try:
            blocker = await task.run(search)
        except PageUnreadable:
            blocker = NO_REASON
        is_last = task.command.attempt >= LAST_ATTEMPT
        asks_for_patience = is_transient and blocker.kind is Reason.RATE_LIMIT
        if blocker and (not asks_for_patience or (is_last and response.status == TOO_MANY)):
            raise PageBlocked(replace(blocker, detail=reason.text))
        if is_transient:
            raise FetchFailed(reason, transient=True)
        raise RequestRefused(reason, known=True)

    async def _store(
        self, task: Task, command: FetchCommand, response: Response, headers: dict[str, str]
    ) -> tuple[StoredPage, list[Passage], str]:
        """Sanitize, archive, and then tell the frontier, so that the frontier never names a page that is missing.

        Returns:
            the page, and the passages that it was split into and what the brain's work made of it in the same go.
        """
        crawl_services = crawler_services.of(self.crawler)
        reading, text = await self._read(task, command, response, headers)
        passages = await crawl_services.parse_pool.with_texts(
            reading.passages, text.markdown, count_tokens=crawl_services.embedder.count_tokens_many
        )
        final_url = canonical_url(response.url) or command.url
        ended_at = state_of_response(response).ended_at or datetime.now(UTC)
        page = StoredPage(
            sha=page_sha(text.markdown, final_url),
            url=command.first_url,
            final_url=final_url,
            status=response.status,
            fetched_at=ended_at.isoformat(timespec="seconds"),
            content_type=headers.get("content-type", ""),
            page=text,
            tokens=sum(passage.tokens for passage in passages),
        )
        await crawl_services.archive.put_page(page, None if text.noarchive else response.body)
        failpoint("after-page-write")
        final = frontier_target(final_url, render=command.render)
        if not await crawl_services.frontier.stored(task.command.id, task.token, page.sha, final):
            raise LeaseLost
        failpoint("after-stored")
        return page, passages, reading.processed

    async def _read(
        self, task: Task, command: FetchCommand, response: Response, headers: dict[str, str]
    ) -> tuple[ParsedPage, PageText]:
        """Sanitize and split the page; a page whose text is made by scripts is given back for a node with a browser.

        Raises:
            PageUnreadable: the bytes cannot be read as text, or the reason is `needs_render: no browser`.
            PageBlocked: the page is a wall.
            GiveBack: a node with a browser should render the page.
        """
        crawl_services, job_context = crawler_services.of(self.crawler), command.job_context
        readers = await crawl_services.readers_for(job_context.model) if job_context else None
        reading = await task.run(
            crawl_services.parse_pool.look_and_read(
                response.body,
                url=response.url,
                headers=headers,
                status=response.status,
                processor=readers.page_processor if readers else None,
                instructions=job_context.model_dump_json() if job_context else "",
            )
        )
        if reading.needs_render and not (command.render or command.no_render):
            await self._ask_for_browser()
        if reading.page is None:
            raise PageUnreadable(reading.refused)
        return reading, reading.page

    async def _ask_for_browser(self) -> NoReturn:
        crawl_services = crawler_services.of(self.crawler)
        if crawl_services.browser is None and not await crawl_services.renders_elsewhere():
            raise PageUnreadable(NO_BROWSER)
        raise GiveBack("render")
