"""Searches: sends one query to several providers and merges their results into one list."""

from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property, partial
from typing import ClassVar

import structlog
from scrapy import Request
from scrapy.http import Response

from research_crawler.core import services
from research_crawler.core.config import Config
from research_crawler.core.errors import AddressRefused, ControlFlow, LeaseLost, SearchFailed
from research_crawler.core.leases import Task
from research_crawler.core.models.commands import SearchSpec
from research_crawler.core.models.events import ProviderReport, SearchResult
from research_crawler.core.models.items import CommandItem
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import target_of
from research_crawler.engines.asking import Asking
from research_crawler.engines.base import Provider, ProviderRequest, provider_slots
from research_crawler.engines.fusion import fuse
from research_crawler.engines.registry import accounts_of, providers_from, switched_off
from research_crawler.frontier.node import OUT_OF_REACH
from research_crawler.frontier.request_state import RequestState
from research_crawler.handlers.composed import ComposedDownloadHandler
from research_crawler.handlers.failures import failure_reason
from research_crawler.handlers.refusals import RequestRefused
from research_crawler.spiders.base import CommandSpider

log = structlog.get_logger(__name__)
_MAX_RESULTS = 60
"""Keeps the event under its limit of 64 kB."""


class SearchSpider(CommandSpider):
    """Asks the providers that are switched on; the search succeeds if at least one of them answers."""

    name = "search"
    queues: ClassVar[tuple[str, ...]] = ("search",)

    @cached_property
    def _providers(self) -> list[Provider]:
        """The providers that are switched on, in order."""
        return providers_from(services.fetching_of(self.crawler).config)

    def handlers(self) -> dict[str, Callable[[Task, Response], Awaitable[CommandItem]]]:
        """The handler for `search`."""
        return {**super().handlers(), "search": self.search}

    async def search(self, task: Task, response: Response) -> CommandItem:
        """The item of a search: the fused results, and a report for each provider."""
        crawl_services = services.of(self.crawler)
        spec = task.command.search or SearchSpec(query="")
        providers = self._providers
        asking = Asking(
            crawl_services.provider_health,
            partial(self._fetch, task, provider_slots(providers, spec)),
            accounts=accounts_of(crawl_services.config, [provider.name for provider in providers]),
            timeout_s=crawl_services.config.search_timeout_seconds,
        )
        answers = await asking.search(spec, providers)
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
            item.what, item.reason = "failed", _why(reports, spec, crawl_services.config)
        return item

    async def _fetch(
        self,
        task: Task,
        slots: Mapping[str, str],
        provider: Provider,
        asked: ProviderRequest,
        *,
        hop: int,
        permit_by_s: float,
        download_s: float,
    ) -> list[SearchResult]:
        """Send one request of a provider and read its answer.

        Raises:
            SearchFailed: the request or its answer failed.
            ControlFlow: the lease is lost, or the node may not dispatch requests.
            RedisError, RedisUnusable: Redis does not answer.
        """
        if asked.typed:
            return await self._type(task, provider, asked, download_s)
        state = RequestState(
            task=task,
            target=target_of(asked.shown_url).changed(slot=slots[provider.name]),
            hop=hop,
            provider=True,
            service=asked.service or asked.configured,  # its address may be private
            exempt=asked.service,  # its robots.txt is not read
            gap_ms=asked.host_delay_ms,
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
            await services.of(self.crawler).node.cancel(task)  # ends the other providers' downloads too
            raise
        except (ControlFlow, *OUT_OF_REACH):
            raise
        except Exception as error:
            raise _failure(provider, asked, error) from error
        headers = {k.decode("latin-1").lower(): v[-1].decode("latin-1") for k, v in response.headers.items()}
        return _read(provider, asked, status=response.status, headers=headers, body=response.body)

    async def _type(
        self, task: Task, provider: Provider, asked: ProviderRequest, timeout_s: float
    ) -> list[SearchResult]:
        """Let the browser type the search; the pauses of the typing are not counted in `timeout_s`."""
        typist = ComposedDownloadHandler.from_crawler(self.crawler).typist
        if typist is None or asked.typed is None:
            raise SearchFailed(provider.name, Reason.NO_BROWSER, url=asked.shown_url, trouble="refused")
        try:
            page = await typist.type_query(
                asked.typed, task=task, timeout_s=timeout_s + asked.typed.total_ms / 1000
            )
        except (ControlFlow, *OUT_OF_REACH):
            raise
        except Exception as error:
            raise _failure(provider, asked, error) from error
        headers = {"content-location": page.url}
        return _read(provider, asked, status=page.status, headers=headers, body=page.html.encode())


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


def _failure(provider: Provider, asked: ProviderRequest, error: Exception) -> SearchFailed:
    """The error of a download without an answer; some failures are not counted against the provider."""
    reason = failure_reason(error)[0]
    if reason.kind is Reason.UNEXPECTED:
        log.error("unexpected failure of a provider", provider=provider.name, error=type(error).__name__)
    if isinstance(error, RequestRefused | AddressRefused):
        trouble = "busy" if reason.kind is Reason.BUSY else "refused"
    else:
        trouble = {Reason.TIMEOUT: "slow", Reason.CANCELLED: "refused"}.get(reason.kind, "server")
    return SearchFailed(provider.name, reason, url=asked.shown_url, trouble=trouble)


def _why(reports: list[ProviderReport], spec: SearchSpec, config: Config) -> Why:
    if reports:
        return Why(Reason.OTHER, "; ".join(f"{report.provider}: {report.reason}" for report in reports))
    if not spec.query.strip():
        return Why(Reason.EMPTY_QUERY)
    lacking = "".join(f"; {name} is off: set {needed}" for name, needed in switched_off(config))
    return Why(Reason.NO_PROVIDER, f"for {spec.vertical} is switched on{lacking}")
