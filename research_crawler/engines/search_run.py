"""Runs one turn of a search over several providers, as the plan says, and records how each provider did.

The failure of one provider does not affect the others.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.core.models.messages.events import ProviderReport, SearchResult
from research_crawler.core.models.messages.health import Health
from research_crawler.core.models.messages.searches import SearchProgress
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import NO_REASON, Why
from research_crawler.core.ports.crawler import HealthBook
from research_crawler.engines.health_rules import patience_ms, resting, used_up
from research_crawler.engines.provider import Provider, joined_results
from research_crawler.engines.provider_calls import PERMITS_EACH, Account, CallContext, Fetch, ProviderCall
from research_crawler.engines.search_plan import Ending, PlannedCall, ProviderCandidate, Readiness, SearchPlan
from research_crawler.engines.search_turns import (
    AnswerTrouble,
    ProviderAnswer,
    SearchStep,
    Turn,
    progress_after,
)

MOST_TURNS: Final = 24
"""A search that has been put into queues this often ends with what it has; nodes with different providers could
otherwise pass it on for ever."""
MOST_LIMITED: Final = 3
"""How often a provider may answer one search that it gets too many calls; each time the search waits for it again."""
LONG_CLOSED_S: Final = 5.0
"""A search chooses another provider rather than wait longer than this for a slot that is closed after an error."""


class SearchRun:
    """Asks providers. It keeps no state between two turns except in the health book and the search's progress."""

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
        self._context = CallContext(book=book, fetch=fetch, clock=clock)
        self._book, self._timeout_s, self._clock = book, timeout_s, clock
        self._accounts = accounts

    async def take_turn(self, spec: SearchSpec, providers: Sequence[Provider], turn: Turn) -> SearchStep:
        """Ask the provider whose turn it is, and others beside it; or choose the provider to wait for.

        An exception of `fetch` other than SearchFailed is raised again after all running calls have ended.
        """
        usable = {provider.name: provider for provider in providers if provider.requests(spec)}
        health_of = await self._healths(list(usable))
        now_ms = await self._book.now_ms()
        tried = {one.report.provider for one in turn.progress.tried}
        candidates = [
            self._candidate(provider, health_of[name], now_ms, closed_s=turn.closed_s.get(name, 0.0))
            for name, provider in usable.items()
            if name not in tried
        ]
        plan = self._plan(spec, candidates, usable, turn.progress)
        answers: list[ProviderAnswer] = []
        if plan.may_use(turn.provider):
            answers = await self._carry_out(plan, spec, usable, turn)
            wait_for = plan.next_turn()
        else:
            wait_for = plan.first_turn()
        progress = progress_after(turn.progress, answers)
        troubled = {answer.report.provider: answer.trouble for answer in answers if answer.trouble}
        has_others = any(
            candidate.readiness == "ready" and candidate.name not in troubled for candidate in candidates
        )
        if wait_for and progress.turns <= MOST_TURNS:
            return SearchStep(wait_for=wait_for, progress=progress, troubled=troubled, has_others=has_others)
        answers = [ProviderAnswer.of(one) for one in turn.progress.tried] + answers
        return SearchStep(
            answers=self._ordered(answers, usable, health_of, now_ms),
            troubled=troubled,
            has_others=has_others,
        )

    def _ordered(
        self,
        answers: Sequence[ProviderAnswer],
        usable: Mapping[str, Provider],
        health_of: Mapping[str, Health],
        now_ms: int,
    ) -> list[ProviderAnswer]:
        """The answers in the order of the providers, then those of providers that were not asked, with the reason."""
        known = {answer.report.provider: answer for answer in answers}
        names = dict.fromkeys([*(name for name in usable if name in known), *known])
        return [known[name] for name in names] + [
            ProviderAnswer(ProviderReport(provider=name, ok=False, reason=Why(Reason.OTHER, reason)))
            for name in usable
            if name not in known and (reason := self._reason_not_asked(name, health_of[name], now_ms))
        ]

    async def _healths(self, names: Sequence[str]) -> dict[str, Health]:
        healths = await self._book.read([self._account(name).name for name in names])
        return dict(zip(names, healths, strict=True))

    def _plan(
        self,
        spec: SearchSpec,
        candidates: Sequence[ProviderCandidate],
        usable: Mapping[str, Provider],
        progress: SearchProgress,
    ) -> SearchPlan:
        with_results = [tried for tried in progress.tried if tried.results]
        return SearchPlan(
            candidates,
            wanted=spec.max_results,
            timeout_s=self._timeout_s,
            preferred=spec.providers,
            found=[result.url for tried in with_results for result in tried.results],
            has_general_results=any(
                tried.report.provider not in usable or usable[tried.report.provider].general
                for tried in with_results
            ),
        )

    async def _carry_out(
        self, plan: SearchPlan, spec: SearchSpec, providers: Mapping[str, Provider], turn: Turn
    ) -> list[ProviderAnswer]:
        started_s = self._clock()
        under_way: dict[asyncio.Task[ProviderAnswer], str] = {}
        answers: dict[str, ProviderAnswer] = {}
        order = list(providers)

        def launch(calls: Iterable[PlannedCall]) -> None:
            for planned in calls:
                permit_no = _first_permit_no(order.index(planned.name), is_forced=planned.forced)
                call = self._ask(
                    providers[planned.name], spec, planned, permit_no, started_s, turn.progress.limited
                )
                under_way[asyncio.ensure_future(call)] = planned.name

        launch(plan.first_calls(turn.provider))
        try:
            while under_way:
                next_look_s = plan.next_look_s()
                left_s = (
                    None if next_look_s is None else max(0.001, next_look_s - (self._clock() - started_s))
                )
                done, _ = await asyncio.wait(under_way, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
                now_s = self._clock() - started_s
                if not done:
                    launch(plan.calls_after_waiting(now_s))
                for task in done:
                    name, answer = under_way.pop(task), task.result()
                    answers[name] = answer
                    found = [result.url for result in answer.results]
                    launch(plan.calls_after_end(name, found, now_s, ending=answer.ending))
        except asyncio.CancelledError:
            for task in under_way:
                task.cancel()
            raise
        finally:
            # Wait for every task, so that its permits are returned when its downloads end.
            await asyncio.gather(*under_way, return_exceptions=True)
        return [answers[name] for name in order if name in answers]

    async def _ask(
        self,
        provider: Provider,
        spec: SearchSpec,
        planned: PlannedCall,
        permit_no: int,
        search_started_s: float,
        limited: Mapping[str, int],
    ) -> ProviderAnswer:
        """Ask one provider: its results, and a report."""
        call = ProviderCall(
            self._context,
            provider,
            self._account(provider.name),
            planned,
            permit_no=permit_no,
            end_s=search_started_s + self._timeout_s,
        )
        requests = provider.requests(spec)
        for request in requests:
            if request.further and not call.wants_further(spec.max_results):
                continue
            if not await call.make(request):
                break
        found = joined_results(call.answers, spec.max_results)
        await call.record()
        report = self._report(call, provider, spec, found, default_url=requests[0].shown_url)
        trouble: AnswerTrouble = call.failure.trouble if call.failure and not found else ""
        ending = _ending_of(trouble, report, again=limited.get(provider.name, 0), costs_money=bool(call.usd))
        return ProviderAnswer(report, found, ending=ending, trouble=trouble)

    def _report(
        self,
        call: ProviderCall,
        provider: Provider,
        spec: SearchSpec,
        found: Sequence[SearchResult],
        *,
        default_url: str,
    ) -> ProviderReport:
        """What became of a call; `default_url` is the address that was asked, if the call did not fail at another."""
        error = call.failure
        return ProviderReport(
            provider=provider.name,
            ok=bool(found) or error is None,
            results=len(found),
            status=error.status if error else 200,
            reason=error.reason if error else NO_REASON,
            url=(error.url if error else default_url)[:300],
            seconds=round(self._clock() - call.started_s, 3),
            ignored=provider.ignores(spec),
            usd=round(call.usd, 6),
        )

    def _candidate(
        self, provider: Provider, health: Health, now_ms: int, *, closed_s: float
    ) -> ProviderCandidate:
        allowance = self._account(provider.name).allowance
        is_resting = resting(health, now_ms) or closed_s > LONG_CLOSED_S
        readiness: Readiness = "resting" if is_resting else "ready"
        return ProviderCandidate(
            name=provider.name,
            paid=allowance.usd_per_call > 0,
            is_general=provider.general,
            readiness="used_up" if used_up(health, allowance, now_ms) else readiness,
            patience_s=patience_ms(health) / 1000,
        )

    def _reason_not_asked(self, name: str, health: Health, now_ms: int) -> str:
        return used_up(health, self._account(name).allowance, now_ms) or resting(health, now_ms)

    def _account(self, name: str) -> Account:
        return self._accounts.get(name, Account(name))


def _ending_of(trouble: AnswerTrouble, report: ProviderReport, *, again: int, costs_money: bool) -> Ending:
    """Whether a provider is done, was passed over, or is asked again; `again`: how often it was so far.

    One that closed is asked again some times; one that was too slow once, unless it costs money.
    """
    is_closed = trouble == "rate" or (trouble == "server" and report.status == 503)
    is_late = trouble == "slow" and not costs_money
    if (is_late and not again) or (is_closed and again + 1 < MOST_LIMITED):
        return "limited"
    return "passed_over" if trouble == "busy" else "done"


def _first_permit_no(place: int, *, is_forced: bool) -> int:
    """The first number for permits of a call. `place`: of its provider among those of the search.

    Each provider has two ranges of `PERMITS_EACH` numbers, one for a usual call and one for a forced one, as it may get
    both in one turn. The range from 0 on stays free.
    """
    return PERMITS_EACH * (1 + 2 * place + is_forced)
