"""Searches: sends one query to several providers and merges their results into one list.

A search comes here twice or more: first to choose the provider in whose queue it waits, then with a turn there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar, Final

from scrapy import Request
from scrapy.http import Response

from research_crawler.core import crawler_services
from research_crawler.core.config import Config
from research_crawler.core.errors import (
    AddressRefused,
    ControlFlow,
    GiveBack,
    LeaseLost,
    MessageError,
    SearchFailed,
    SearchTrouble,
)
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import SearchCommand, SearchSpec
from research_crawler.core.models.messages.events import ProviderReport, SearchResult
from research_crawler.core.models.messages.items import CommandItem
from research_crawler.core.models.messages.searches import Pace, SearchProgress
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.target import Target
from research_crawler.core.models.why import Why
from research_crawler.core.ports.frontier import CrawlFrontier
from research_crawler.core.tasks.leases import HeldPermit, Task
from research_crawler.core.web.urls import frontier_target
from research_crawler.engines.health_rules import resting
from research_crawler.engines.provider import Provider, ProviderRequest, provider_slots
from research_crawler.engines.rank_fusion import fuse
from research_crawler.engines.registry import (
    accounts_of,
    on_host_slots,
    paces_of,
    providers_from,
    switched_off,
)
from research_crawler.engines.search_run import LONG_CLOSED_S, SearchRun
from research_crawler.engines.search_turns import ProviderAnswer, Turn
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.request_state import RequestState
from research_crawler.handlers.composed import ComposedDownloadHandler
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.spiders.command_spider import CommandSpider

log = get_log(__name__)
_MAX_RESULTS = 60
"""Keeps the event under its limit of 64 kB."""


class SearchSpider(CommandSpider):
    """Asks the providers that are switched on; the search succeeds if at least one of them answers."""

    name = "search"
    queues: ClassVar[tuple[str, ...]] = ("search",)

    @cached_property
    def _providers(self) -> list[Provider]:
        """The providers that are switched on, in order."""
        return providers_from(crawler_services.fetching_of(self.crawler).config)

    async def search(self, task: Task, command: SearchCommand, response: Response) -> CommandItem:
        """The item of a search: the fused results, and a report for each provider.

        Raises:
            GiveBack: the search waits for its turn at a provider.
        """
        crawl_services = crawler_services.of(self.crawler)
        config, spec = crawl_services.config, command.search
        providers = self._providers
        names = [provider.name for provider in providers]
        slots = provider_slots(providers, spec, of_host=on_host_slots(config, names))
        paces = paces_of(config, names)
        closed_s = await self._frontier.set_paces({slots[name]: paces[name] for name in slots})
        progress = _progress_of(command)
        task.downloads += progress.downloads
        turn = Turn(
            provider=_provider_with_turn(task, slots),
            progress=progress,
            closed_s={name: closed_s[slot] for name, slot in slots.items()},
        )
        calls = _Calls(task, slots, paces, turn_of=turn.provider)
        run = SearchRun(
            crawl_services.provider_health,
            partial(self._fetch, calls),
            accounts=accounts_of(config, names),
            timeout_s=config.search_timeout_seconds,
        )
        step = await run.take_turn(spec, providers, turn)
        if step.has_others:
            for name in step.troubled:
                await self._reroute(name, slots[name])
        if step.wait_for:
            target = Target(url="", slot=slots[step.wait_for], page_key="")
            so_far = step.progress.changed(downloads=task.downloads)
            raise GiveBack("turn", target=target, progress=so_far.to_wire())
        return self._item(task, spec, step.answers)

    def _item(self, task: Task, spec: SearchSpec, answers: Sequence[ProviderAnswer]) -> CommandItem:
        crawl_services = crawler_services.of(self.crawler)
        results = fuse(
            {answer.report.provider: answer.results for answer in answers},
            limit=min(_MAX_RESULTS, max(spec.max_results, 1) * 2),
            per_host=crawl_services.config.search_results_per_host,
            allowed=crawl_services.guard.permits,
        )
        reports = [answer.report for answer in answers]
        item = CommandItem(command=task.command, token=task.token, query=spec.query, results=results)
        item.providers = reports
        if not any(report.ok for report in reports):
            item.outcome, item.reason = "failed", _why(reports, spec, crawl_services.config)
        return item

    async def _reroute(self, name: str, slot: str) -> None:
        """Let the searches that wait for a provider choose another one, if it has just begun to rest for longer."""
        crawl_services = crawler_services.of(self.crawler)
        book, [account] = crawl_services.provider_health, accounts_of(crawl_services.config, [name]).values()
        [health] = await book.read([account.name])
        pace = paces_of(crawl_services.config, [name])[name]
        closed_s = await self._frontier.set_paces({slot: pace})
        if resting(health, await book.now_ms()) or closed_s[slot] > LONG_CLOSED_S:
            await self._frontier.reroute(slot)

    @property
    def _frontier(self) -> CrawlFrontier:
        return crawler_services.of(self.crawler).frontier

    async def _fetch(
        self,
        calls: "_Calls",
        provider: Provider,
        asked: ProviderRequest,
        *,
        permit_no: int,
        permit_by_s: float,
        download_s: float,
    ) -> list[SearchResult]:
        """Send one request of a provider and read its answer.

        Raises:
            SearchFailed: the request or its answer failed.
            ControlFlow: the lease is lost, or the node may not dispatch requests.
            RedisError, RedisUnusable: Redis does not answer.
        """
        task, permit = calls.task, calls.take_permit(provider.name)
        if asked.typed:
            return await self._type(task, provider, asked, download_s, permit)
        state = RequestState(
            task=task,
            target=frontier_target(asked.shown_url).changed(slot=calls.slots[provider.name]),
            permit=permit,
            redirects=permit_no,
            provider=True,
            service=asked.service or asked.configured,  # its address may be private
            exempt=asked.service,  # its robots.txt is not read
            gap_ms=calls.paces[provider.name].delay_ms,
            deadline_s=permit_by_s,
            limit_s=download_s,
        )
        request = Request(
            asked.url,
            method=asked.method,
            headers=dict(asked.headers),
            body=asked.body,
            meta=state.meta,
            dont_filter=True,
        )
        try:
            response = await self.crawler.engine.download_async(request)
        except LeaseLost:
            await crawler_services.of(self.crawler).node.cancel(
                task
            )  # ends the other providers' downloads too
            raise
        except (ControlFlow, *OUT_OF_REACH):
            raise
        except Exception as error:
            raise _failure(provider, asked, error) from error
        headers = {k.decode("latin-1").lower(): v[-1].decode("latin-1") for k, v in response.headers.items()}
        return _read(provider, asked, status=response.status, headers=headers, body=response.body)

    async def _type(
        self,
        task: Task,
        provider: Provider,
        asked: ProviderRequest,
        timeout_s: float,
        permit: HeldPermit | None,
    ) -> list[SearchResult]:
        """Let the browser type the search; the pauses of the typing are not counted in `timeout_s`."""
        typist = ComposedDownloadHandler.from_crawler(self.crawler).typist
        if typist is None or asked.typed is None:
            raise SearchFailed(provider.name, Reason.NO_BROWSER, url=asked.shown_url, trouble="refused")
        try:
            page = await typist.type_query(
                asked.typed, task=task, timeout_s=timeout_s + asked.typed.total_ms / 1000, permit=permit
            )
        except (ControlFlow, *OUT_OF_REACH):
            raise
        except Exception as error:
            raise _failure(provider, asked, error) from error
        headers = {"content-location": page.url}
        return _read(provider, asked, status=page.status, headers=headers, body=page.html.encode())


@dataclass
class _Calls:
    """What the calls of one turn share."""

    task: Task
    slots: Mapping[str, str]
    paces: Mapping[str, Pace]
    turn_of: str

    def take_permit(self, provider: str) -> HeldPermit | None:
        """The permit that came with the lease, for the first call of the provider whose turn it is."""
        if provider != self.turn_of:
            return None
        self.turn_of = ""
        return self.task.permits[0]


def _provider_with_turn(task: Task, slots: Mapping[str, str]) -> str:
    """The provider in whose queue the search waited; "" if it waits for none yet, or this node does not have it."""
    if not task.lease.permit or not task.permits:
        return ""
    return next((name for name, slot in slots.items() if slot == task.command.slot), "")


def _progress_of(command: SearchCommand) -> SearchProgress:
    """What the search has from its earlier turns; what cannot be read is asked for again."""
    try:
        return SearchProgress.from_wire(command.progress) if command.progress else SearchProgress()
    except MessageError as error:
        log.warning("the progress of a search cannot be read", command=command.id, error=str(error))
        return SearchProgress()


def _read(
    provider: Provider, asked: ProviderRequest, *, status: int, headers: Mapping[str, str], body: bytes
) -> list[SearchResult]:
    """The results that the provider reads in an answer; a bug in a provider costs its results, not the search."""
    try:
        return provider.parse(asked, status=status, headers=headers, body=body)
    except SearchFailed:
        raise
    except Exception as error:
        log.exception("a search provider raised an unexpected error", provider=provider.name)
        raise SearchFailed(
            provider.name, Why(Reason.BROKEN, type(error).__name__), status=status, url=asked.shown_url
        ) from error


_TROUBLES: Final[Mapping[Reason, SearchTrouble]] = {Reason.TIMEOUT: "slow", Reason.CANCELLED: "refused"}
"""What a failed download says about a provider; of other reasons it is its server's trouble."""


def _failure(provider: Provider, asked: ProviderRequest, error: Exception) -> SearchFailed:
    """The error of a download without an answer; some failures are not counted against the provider."""
    reason = failure_reason(error)[0]
    if reason.kind is Reason.UNEXPECTED:
        log.error("unexpected failure of a provider", provider=provider.name, error=type(error).__name__)
    if isinstance(error, RequestRefused | AddressRefused):
        trouble: SearchTrouble = "busy" if reason.kind is Reason.BUSY else "refused"
    else:
        trouble = _TROUBLES.get(reason.kind, "server")
    return SearchFailed(provider.name, reason, url=asked.shown_url, trouble=trouble)


def _why(reports: list[ProviderReport], spec: SearchSpec, config: Config) -> Why:
    if reports:
        return Why(Reason.OTHER, "; ".join(f"{report.provider}: {report.reason}" for report in reports))
    if not spec.query.strip():
        return Why(Reason.EMPTY_QUERY)
    lacking = "".join(f"; {name} is off: set {needed}" for name, needed in switched_off(config))
    return Why(Reason.NO_PROVIDER, f"for {spec.vertical} is switched on{lacking}")
