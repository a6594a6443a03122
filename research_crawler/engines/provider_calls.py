"""The calls of one provider in one turn of a search, and what they cost it and us."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from research_crawler.core.errors import SearchFailed, SearchTrouble
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.messages.health import Health
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.ports.crawler import HealthBook
from research_crawler.engines.health_rules import (
    Allowance,
    admit,
    failed,
    not_sent,
    succeeded,
    used_up,
)
from research_crawler.engines.provider import Provider, ProviderRequest
from research_crawler.engines.search_plan import PlannedCall

PERMITS_EACH, PERMITS_A_REQUEST = 150, 12
"""Ranges of permit numbers, so that the requests and redirects of two providers never share a number."""
LEAST_OF_FULL_PAGE = 5
"""A page with fewer results is taken as the last one: providers' pages hold ten results or more."""


class Fetch(Protocol):
    """Downloads one request (guard, robots.txt and permit included) and lets the provider read the answer."""

    async def __call__(
        self,
        provider: Provider,
        request: ProviderRequest,
        *,
        permit_no: int,
        permit_by_s: float,
        download_s: float,
    ) -> list[SearchResult]:
        """The results of one request.

        Args:
            provider: reads the answer.
            request: what to download.
            permit_no: names the permit; each request of a search has its own.
            permit_by_s: when to give up waiting for the host, on the clock of `SearchRun`.
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


@dataclass(frozen=True, kw_only=True)
class CallContext:
    """What calls are made with."""

    book: HealthBook
    fetch: Fetch
    clock: Callable[[], float]
    """Seconds."""


class ProviderCall:
    """The requests of one provider in one turn of a search."""

    def __init__(
        self,
        context: CallContext,
        provider: Provider,
        account: Account,
        planned: PlannedCall,
        *,
        permit_no: int,
        end_s: float,
    ) -> None:
        """`permit_no`: its first permit; `end_s`: when everything must have ended, on the clock of `context`."""
        self._context, self._provider, self._planned = context, provider, planned
        self._permit_no, self._end_s = permit_no, end_s
        self._account = account
        self.started_s = context.clock()
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
        if refusal := await self._context.book.change(self._account.name, self._admit_call):
            reason, trouble = refusal
            self.failure = SearchFailed(
                self._provider.name, Why(Reason.OTHER, reason), url=request.shown_url, trouble=trouble
            )
            return False
        started_s = self._context.clock()
        try:
            results = await self._context.fetch(
                self._provider,
                request,
                permit_no=self._permit_no,
                permit_by_s=min(self._end_s, self.started_s + self._planned.wait_s),
                download_s=min(self._planned.download_s, max(0.0, self._end_s - started_s)),
            )
        except SearchFailed as error:
            await self._failed(error)
            return not self._is_about_the_provider(error)
        finally:
            self._permit_no += PERMITS_A_REQUEST
        self.usd += self._account.allowance.usd_per_call
        if self._latency_ms is None:
            self._latency_ms = int((self._context.clock() - started_s) * 1000)
        self.answers.append((request, results))
        return True

    def _admit_call(self, health: Health, now_ms: int) -> tuple[Health, tuple[str, SearchTrouble] | None]:
        """Book a call, or say why it must not be made; a provider that began to rest just now may be asked later."""
        allowance = self._account.allowance
        forced = self._planned.forced or bool(self.answers or self.failure)
        booked, reason = admit(health, now_ms, allowance=allowance, forced=forced)
        if not reason:
            return booked, None
        return booked, (reason, "refused" if used_up(health, allowance, now_ms) else "busy")

    async def record(self) -> None:
        """Record how the provider did. One answered request makes the call a success."""
        book, name, failure = self._context.book, self._account.name, self.failure
        if self.answers:
            latency_ms = self._latency_ms or 0
            await book.change(name, lambda health, now: (succeeded(health, now, latency_ms=latency_ms), None))
        elif failure:
            spent_ms = int((self._context.clock() - self.started_s) * 1000)
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
            await self._context.book.change(
                self._account.name, lambda health, now: (not_sent(health, now, usd=usd), None)
            )
        elif error.trouble in ("slow", "other", "server"):
            self.usd += usd  # the provider may have done the work and charged for it

    @staticmethod
    def _is_about_the_provider(error: SearchFailed) -> bool:
        """Whether the provider's other requests would fail as well."""
        return error.trouble in ("key", "quota", "rate", "busy")
