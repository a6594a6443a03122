"""One search over all providers: the plan carried out, health kept, no failure of one let through to the others."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from research_crawler.core.crawl_ports import HealthBook
from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.commands import SearchSpec
from research_crawler.core.models.events import ProviderReport, SearchResult
from research_crawler.core.models.health import Health
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import NO_REASON, Why
from research_crawler.engines.base import Provider, ProviderRequest, joined_results
from research_crawler.engines.health import (
    Allowance,
    admit,
    failed,
    patience_ms,
    resting,
    succeeded,
    unasked,
    used_up,
)
from research_crawler.engines.plan import PlannedCall, ProviderCandidate, Readiness, SearchPlan

HOPS_EACH, HOPS_A_REQUEST = 150, 12
"""Numbers of permits: those of a provider's requests and of their redirects, apart from all others'."""
LEAST_OF_FULL_PAGE = 5
"""Providers' pages hold ten results or more; after one with fewer than half of them there is hardly another."""


class Fetch(Protocol):
    """Downloads one request with guard, robots.txt and permit, and reads the answer."""

    async def __call__(
        self, provider: Provider, request: ProviderRequest, *, hop: int, permit_by_s: float, download_s: float
    ) -> list[SearchResult]:
        """Results.

        Args:
            provider: reads the answer.
            request: what to download.
            hop: names the permit; another one for each request of a search.
            permit_by_s: when to give up waiting for the host, on the clock of `Asking`.
            download_s: longest download.

        Raises:
            SearchFailed: whatever went wrong with this request.
        """
        ...


@dataclass(frozen=True)
class Account:
    """Under which name a provider's health is kept, and what it may cost."""

    name: str
    allowance: Allowance = field(default_factory=Allowance)


@dataclass
class ProviderAnswer:
    """What became of asking one provider."""

    report: ProviderReport
    results: list[SearchResult] = field(default_factory=list)
    busy: bool = False


class Asking:
    """Asks providers for one search after another; holds nothing between two of them but the health book."""

    def __init__(
        self,
        book: HealthBook,
        fetch: Fetch,
        *,
        accounts: Mapping[str, Account],
        timeout_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`accounts`: by provider's name; one that is missing has no ceilings. `clock` answers seconds."""
        self._book, self._fetch, self._timeout_s, self._clock = book, fetch, timeout_s, clock
        self._accounts = accounts

    async def search(self, spec: SearchSpec, providers: Sequence[Provider]) -> list[ProviderAnswer]:
        """Ask as the plan says; an answer for each that was asked, or could not be.

        Exceptions of `fetch` other than SearchFailed come out, when what is under way has ended.
        """
        able = [one for one in providers if one.requests(spec)]
        known = await self._book.read([self._account(one).name for one in able])
        now_ms = await self._book.now_ms()
        healths = {one.name: health for one, health in zip(able, known, strict=True)}
        plan = SearchPlan(
            [self._candidate(one, healths[one.name], now_ms) for one in able],
            wanted=spec.max_results,
            timeout_s=self._timeout_s,
            preferred=spec.providers,
        )
        answers = await self._carry_out(plan, spec, {one.name: one for one in able})
        asked = {answer.report.provider for answer in answers}
        silent = [one for one in able if one.name not in asked]
        return answers + [
            ProviderAnswer(ProviderReport(provider=one.name, ok=False, reason=Why(Reason.OTHER, why)))
            for one in silent
            if (why := self._why_not(one, healths[one.name], now_ms))
        ]

    async def _carry_out(
        self, plan: SearchPlan, spec: SearchSpec, providers: Mapping[str, Provider]
    ) -> list[ProviderAnswer]:
        started_s = self._clock()
        under_way: dict[asyncio.Task[ProviderAnswer], str] = {}
        answers: dict[str, ProviderAnswer] = {}
        order = list(providers)

        def launch(asks: Iterable[PlannedCall]) -> None:
            for ask in asks:
                hop = HOPS_EACH * (2 * order.index(ask.name) + ask.forced)
                call = self._ask(providers[ask.name], spec, ask, hop, started_s)
                under_way[asyncio.ensure_future(call)] = ask.name

        launch(plan.start())
        try:
            while under_way:
                look_s = plan.next_look_s()
                left_s = None if look_s is None else max(0.001, look_s - (self._clock() - started_s))
                done, _ = await asyncio.wait(under_way, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
                now_s = self._clock() - started_s
                if not done:
                    launch(plan.waited(now_s))
                for task in done:
                    name, answer = under_way.pop(task), task.result()
                    answers[name] = answer
                    launch(plan.ended(name, [one.url for one in answer.results], now_s, busy=answer.busy))
        except asyncio.CancelledError:
            for task in under_way:
                task.cancel()
            raise
        finally:
            # Each ends by itself, so that its permits come back at the end of its downloads.
            await asyncio.gather(*under_way, return_exceptions=True)
        return [answers[name] for name in order if name in answers]

    async def _ask(
        self, provider: Provider, spec: SearchSpec, ask: PlannedCall, hop: int, search_s: float
    ) -> ProviderAnswer:
        """One provider's results and how it did."""
        call = _ProviderCall(self, provider, ask, hop, search_s + self._timeout_s)
        requests = provider.requests(spec)
        for request in requests:
            if request.further and not call.wants_further(spec.max_results):
                continue
            if not await call.make(request):
                break
        found = joined_results(call.answers, spec.max_results)
        await call.record()
        last = call.failure
        report = ProviderReport(
            provider=provider.name,
            ok=bool(found) or last is None,
            results=len(found),
            status=last.status if last else 200,
            reason=last.reason if last else NO_REASON,
            url=(last.url if last else requests[0].shown_url)[:300],
            seconds=round(self._clock() - call.started_s, 3),
            ignored=provider.ignores(spec),
            usd=round(call.usd, 6),
        )
        return ProviderAnswer(report, found, busy=bool(last and last.trouble == "busy" and not found))

    def _candidate(self, provider: Provider, health: Health, now_ms: int) -> ProviderCandidate:
        allowance = self._account(provider).allowance
        standing: Readiness = "resting" if resting(health, now_ms) else "ready"
        return ProviderCandidate(
            name=provider.name,
            paid=allowance.usd_per_call > 0,
            general=provider.general,
            standing="used_up" if used_up(health, allowance, now_ms) else standing,
            patience_s=patience_ms(health) / 1000,
        )

    def _why_not(self, provider: Provider, health: Health, now_ms: int) -> str:
        return used_up(health, self._account(provider).allowance, now_ms) or resting(health, now_ms)

    def _account(self, provider: Provider) -> Account:
        return self._accounts.get(provider.name, Account(provider.name))


class _ProviderCall:
    """The requests of one provider in one search."""

    def __init__(self, asking: Asking, provider: Provider, ask: PlannedCall, hop: int, end_s: float) -> None:
        self._asking, self._provider, self._ask = asking, provider, ask
        self._hop, self._end_s = hop, end_s
        self._account = asking._account(provider)
        self.started_s = asking._clock()
        self.answers: list[tuple[ProviderRequest, list[SearchResult]]] = []
        self.failure: SearchFailed | None = None
        self.usd = 0.0
        self._latency_ms: int | None = None

    def wants_further(self, max_results: int) -> bool:
        """Whether a page after the ones that were read can hold anything that is wanted."""
        if self.failure or not self.answers:
            return False
        found = sum(len(results) for _, results in self.answers)
        return found < max_results and len(self.answers[-1][1]) >= LEAST_OF_FULL_PAGE

    async def make(self, request: ProviderRequest) -> bool:
        """Make one request; False where the provider is not to be asked any further."""
        book, allowance = self._asking._book, self._account.allowance
        forced = self._ask.forced or bool(self.answers or self.failure)
        why = await book.change(self._account.name, partial(admit, allowance=allowance, forced=forced))
        if why:
            self.failure = SearchFailed(
                self._provider.name, Why(Reason.OTHER, why), url=request.shown_url, trouble="refused"
            )
            return False
        started_s = self._asking._clock()
        try:
            results = await self._asking._fetch(
                self._provider,
                request,
                hop=self._hop,
                permit_by_s=min(self._end_s, self.started_s + self._ask.wait_s),
                download_s=min(self._ask.download_s, max(0.0, self._end_s - started_s)),
            )
        except SearchFailed as error:
            await self._failed(error)
            return not self._is_about_the_provider(error)
        finally:
            self._hop += HOPS_A_REQUEST
        self.usd += allowance.usd_per_call
        if self._latency_ms is None:
            self._latency_ms = int((self._asking._clock() - started_s) * 1000)
        self.answers.append((request, results))
        return True

    async def record(self) -> None:
        """Tell the book how the provider did: an answer to any of the requests is a success."""
        book, name, failure = self._asking._book, self._account.name, self.failure
        if self.answers:
            latency_ms = self._latency_ms or 0
            await book.change(name, lambda health, now: (succeeded(health, now, latency_ms=latency_ms), None))
        elif failure:
            spent_ms = int((self._asking._clock() - self.started_s) * 1000)
            await book.change(
                name,
                lambda health, now: (
                    failed(
                        health, now, trouble=failure.trouble, why=failure.reason.text, latency_ms=spent_ms
                    ),
                    None,
                ),
            )

    async def _failed(self, error: SearchFailed) -> None:
        self.failure = error
        usd = self._account.allowance.usd_per_call
        if error.trouble in ("busy", "refused"):
            await self._asking._book.change(
                self._account.name, lambda health, now: (unasked(health, now, usd=usd), None)
            )
        elif error.trouble in ("slow", "other", "server"):
            self.usd += usd  # it may have worked, and charged

    @staticmethod
    def _is_about_the_provider(error: SearchFailed) -> bool:
        """Whether its other requests would fare no better."""
        return error.trouble in ("key", "quota", "rate", "busy")
