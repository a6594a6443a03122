"""Runs one search over several providers, as the plan says, and records how each provider did.

The failure of one provider does not affect the others.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from research_crawler.core.errors import SearchFailed
from research_crawler.core.models.commands import SearchSpec
from research_crawler.core.models.events import ProviderReport, SearchResult
from research_crawler.core.models.health import Health
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import NO_REASON, Why
from research_crawler.core.ports.crawler import HealthBook
from research_crawler.engines.base import Provider, ProviderRequest, joined_results
from research_crawler.engines.health import (
    Allowance,
    admit,
    failed,
    not_sent,
    patience_ms,
    resting,
    succeeded,
    used_up,
)
from research_crawler.engines.plan import PlannedCall, ProviderCandidate, Readiness, SearchPlan

HOPS_EACH, HOPS_A_REQUEST = 150, 12
"""Ranges of permit numbers, so that the requests and redirects of two providers never share a number."""
LEAST_OF_FULL_PAGE = 5
"""A page with fewer results is taken as the last one: providers' pages hold ten results or more."""


class Fetch(Protocol):
    """Downloads one request (guard, robots.txt and permit included) and lets the provider read the answer."""

    async def __call__(
        self, provider: Provider, request: ProviderRequest, *, hop: int, permit_by_s: float, download_s: float
    ) -> list[SearchResult]:
        """The results of one request.

        Args:
            provider: reads the answer.
            request: what to download.
            hop: names the permit; each request of a search has its own.
            permit_by_s: when to give up waiting for the host, on the clock of `Asking`.
            download_s: longest download.

        Raises:
            SearchFailed: for every kind of failure of this request.
        """
        ...


@dataclass(frozen=True)
class Account:
    """The name under which a provider's health is stored, and its ceilings and price."""

    name: str
    allowance: Allowance = field(default_factory=Allowance)


@dataclass
class ProviderAnswer:
    """The outcome of asking one provider."""

    report: ProviderReport
    results: list[SearchResult] = field(default_factory=list)
    busy: bool = False


class Asking:
    """Asks providers. It keeps no state between two searches except in the health book."""

    def __init__(
        self,
        book: HealthBook,
        fetch: Fetch,
        *,
        accounts: Mapping[str, Account],
        timeout_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`accounts`: by provider name; a provider without one has no ceilings. `clock` returns seconds."""
        self._book, self._fetch, self._timeout_s, self._clock = book, fetch, timeout_s, clock
        self._accounts = accounts

    async def search(self, spec: SearchSpec, providers: Sequence[Provider]) -> list[ProviderAnswer]:
        """Ask the providers as the plan says, and say for each how it went or why it was not asked.

        An exception of `fetch` other than SearchFailed is raised again after all running calls have ended.
        """
        usable = [provider for provider in providers if provider.requests(spec)]
        healths = await self._book.read([self._account(provider).name for provider in usable])
        now_ms = await self._book.now_ms()
        health_of = {provider.name: health for provider, health in zip(usable, healths, strict=True)}
        plan = SearchPlan(
            [self._candidate(provider, health_of[provider.name], now_ms) for provider in usable],
            wanted=spec.max_results,
            timeout_s=self._timeout_s,
            preferred=spec.providers,
        )
        answers = await self._carry_out(plan, spec, {provider.name: provider for provider in usable})
        asked_names = {answer.report.provider for answer in answers}
        not_asked = [provider for provider in usable if provider.name not in asked_names]
        return answers + [
            ProviderAnswer(ProviderReport(provider=provider.name, ok=False, reason=Why(Reason.OTHER, reason)))
            for provider in not_asked
            if (reason := self._reason_not_asked(provider, health_of[provider.name], now_ms))
        ]

    async def _carry_out(
        self, plan: SearchPlan, spec: SearchSpec, providers: Mapping[str, Provider]
    ) -> list[ProviderAnswer]:
        started_s = self._clock()
        under_way: dict[asyncio.Task[ProviderAnswer], str] = {}
        answers: dict[str, ProviderAnswer] = {}
        order = list(providers)

        def launch(calls: Iterable[PlannedCall]) -> None:
            for planned in calls:
                hop = HOPS_EACH * (2 * order.index(planned.name) + planned.forced)
                call = self._ask(providers[planned.name], spec, planned, hop, started_s)
                under_way[asyncio.ensure_future(call)] = planned.name

        launch(plan.start())
        try:
            while under_way:
                next_look_s = plan.next_look_s()
                left_s = (
                    None if next_look_s is None else max(0.001, next_look_s - (self._clock() - started_s))
                )
                done, _ = await asyncio.wait(under_way, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
                now_s = self._clock() - started_s
                if not done:
                    launch(plan.waited(now_s))
                for task in done:
                    name, answer = under_way.pop(task), task.result()
                    answers[name] = answer
                    launch(
                        plan.ended(name, [result.url for result in answer.results], now_s, busy=answer.busy)
                    )
        except asyncio.CancelledError:
            for task in under_way:
                task.cancel()
            raise
        finally:
            # Wait for every task, so that its permits are returned when its downloads end.
            await asyncio.gather(*under_way, return_exceptions=True)
        return [answers[name] for name in order if name in answers]

    async def _ask(
        self, provider: Provider, spec: SearchSpec, planned: PlannedCall, hop: int, search_s: float
    ) -> ProviderAnswer:
        """Ask one provider: its results, and a report."""
        call = _ProviderCall(self, provider, planned, hop, search_s + self._timeout_s)
        requests = provider.requests(spec)
        for request in requests:
            if request.further and not call.wants_further(spec.max_results):
                continue
            if not await call.make(request):
                break
        found = joined_results(call.answers, spec.max_results)
        await call.record()
        error = call.failure
        report = ProviderReport(
            provider=provider.name,
            ok=bool(found) or error is None,
            results=len(found),
            status=error.status if error else 200,
            reason=error.reason if error else NO_REASON,
            url=(error.url if error else requests[0].shown_url)[:300],
            seconds=round(self._clock() - call.started_s, 3),
            ignored=provider.ignores(spec),
            usd=round(call.usd, 6),
        )
        return ProviderAnswer(report, found, busy=bool(error and error.trouble == "busy" and not found))

    def _candidate(self, provider: Provider, health: Health, now_ms: int) -> ProviderCandidate:
        allowance = self._account(provider).allowance
        readiness: Readiness = "resting" if resting(health, now_ms) else "ready"
        return ProviderCandidate(
            name=provider.name,
            paid=allowance.usd_per_call > 0,
            general=provider.general,
            readiness="used_up" if used_up(health, allowance, now_ms) else readiness,
            patience_s=patience_ms(health) / 1000,
        )

    def _reason_not_asked(self, provider: Provider, health: Health, now_ms: int) -> str:
        return used_up(health, self._account(provider).allowance, now_ms) or resting(health, now_ms)

    def _account(self, provider: Provider) -> Account:
        return self._accounts.get(provider.name, Account(provider.name))


class _ProviderCall:
    """The requests of one provider in one search."""

    def __init__(
        self, asking: Asking, provider: Provider, planned: PlannedCall, hop: int, end_s: float
    ) -> None:
        self._asking, self._provider, self._planned = asking, provider, planned
        self._hop, self._end_s = hop, end_s
        self._account = asking._account(provider)
        self.started_s = asking._clock()
        self.answers: list[tuple[ProviderRequest, list[SearchResult]]] = []
        self.failure: SearchFailed | None = None
        self.usd = 0.0
        self._latency_ms: int | None = None

    def wants_further(self, max_results: int) -> bool:
        """Whether another page of results is needed and likely to exist."""
        if self.failure or not self.answers:
            return False
        found = sum(len(results) for _, results in self.answers)
        return found < max_results and len(self.answers[-1][1]) >= LEAST_OF_FULL_PAGE

    async def make(self, request: ProviderRequest) -> bool:
        """Make one request; False if the provider must not be asked any further."""
        book, allowance = self._asking._book, self._account.allowance
        forced = self._planned.forced or bool(self.answers or self.failure)
        reason = await book.change(self._account.name, partial(admit, allowance=allowance, forced=forced))
        if reason:
            self.failure = SearchFailed(
                self._provider.name, Why(Reason.OTHER, reason), url=request.shown_url, trouble="refused"
            )
            return False
        started_s = self._asking._clock()
        try:
            results = await self._asking._fetch(
                self._provider,
                request,
                hop=self._hop,
                permit_by_s=min(self._end_s, self.started_s + self._planned.wait_s),
                download_s=min(self._planned.download_s, max(0.0, self._end_s - started_s)),
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
        """Record how the provider did. One answered request makes the call a success."""
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
                self._account.name, lambda health, now: (not_sent(health, now, usd=usd), None)
            )
        elif error.trouble in ("slow", "other", "server"):
            self.usd += usd  # the provider may have done the work and charged for it

    @staticmethod
    def _is_about_the_provider(error: SearchFailed) -> bool:
        """Whether the provider's other requests would fail as well."""
        return error.trouble in ("key", "quota", "rate", "busy")
