"""A brain with a second one as its fallback, for the questions that the first one cannot answer."""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from research_crawler.core.brain_errors import (
    BrainFailed,
    BrainUnavailable,
    BudgetExhausted,
    FallbackReason,
    TooLate,
)
from research_crawler.core.log import get_log
from research_crawler.core.models.evidence.entailment import Pair, Readings
from research_crawler.core.models.evidence.findings import Extraction
from research_crawler.core.models.jobs.column_reading import ColumnsView, PickedValues
from research_crawler.core.models.jobs.decisions import (
    Answered,
    Decision,
    LabelRequest,
    PageView,
    PlannerView,
)
from research_crawler.core.models.reports.drafts import (
    RecommendationDraft,
    RecommendationView,
    ReportDraft,
    ReportView,
)
from research_crawler.core.ports.models import Brain, Call
from research_crawler.text.languages.words import terms

FAILURES_IN_A_ROW: Final = 2
"""After so many failed questions in a row, the job goes on without its model."""
ENDPOINT_REST_S: Final = 30.0
"""How long an endpoint that failed so often is not asked; a job of two minutes then loses one or two tries."""

NO_VISITS: Final = "it asked for no page to be read"
NO_QUERY: Final = "its searches have no word of the question, and found nothing"

AnyAnswer = TypeVar(
    "AnyAnswer", Answered, Extraction, ReportDraft, RecommendationDraft, Readings, PickedValues
)
log = get_log(__name__)


class FallbackBrain:
    """Asks `primary`. If that fails or its budget is used up, `fallback` answers and `note` says why."""

    def __init__(
        self, primary: Brain, fallback: Brain, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.primary, self.fallback = primary, fallback
        self.name = primary.name
        self._clock = clock
        self._failures, self._rests_until, self._last_error = 0, 0.0, FallbackReason("")

    async def decide(self, view: PlannerView, call: Call) -> Answered:
        """The next action; the fallback's where the first brain goes on with steps that lead to nothing to be read."""
        answered = await self._either(lambda brain: brain.decide(view, call))
        why = _leads_nowhere(view, answered.decision) if answered.by == self.primary.name else ""
        return (
            await self._fall_back(lambda brain: brain.decide(view, call), FallbackReason(why))
            if why
            else answered
        )

    async def label(self, request: LabelRequest, call: Call) -> Answered:
        """A label for every result, best first."""
        return await self._either(lambda brain: brain.label(request, call))

    async def extract(self, page: PageView, call: Call) -> Extraction:
        """What the page says about the goal."""
        return await self._either(lambda brain: brain.extract(page, call))

    async def write(self, view: ReportView, call: Call) -> ReportDraft:
        """The report's parts."""
        return await self._either(lambda brain: brain.write(view, call))

    async def recommend(self, view: RecommendationView, call: Call) -> RecommendationDraft:
        """Which offer is best and why."""
        return await self._either(lambda brain: brain.recommend(view, call))

    async def check_entailment(
        self, pairs: Sequence[Pair], call: Call, *, question: str = "", language: str = "en"
    ) -> Readings:
        """Whether quotes say what statements say."""
        return await self._either(
            lambda brain: brain.check_entailment(pairs, call, question=question, language=language)
        )

    async def pick_values(self, view: ColumnsView, call: Call) -> PickedValues:
        """The values of open columns; none where the first brain fails."""
        return await self._either(lambda brain: brain.pick_values(view, call))

    async def _either(self, ask: Callable[[Brain], Awaitable[AnyAnswer]]) -> AnyAnswer:
        if self._clock() < self._rests_until:
            return await self._fall_back(ask, self._last_error)
        try:
            answer = await ask(self.primary)
        except TooLate as error:  # says nothing about the endpoint
            return await self._fall_back(ask, FallbackReason.of(error))
        except BrainUnavailable as error:
            self._failures, self._last_error = self._failures + 1, FallbackReason.of(error)
            if self._failures >= FAILURES_IN_A_ROW:
                self._rests_until = self._clock() + ENDPOINT_REST_S
            return await self._fall_back(ask, self._last_error)
        except (BrainFailed, BudgetExhausted) as error:
            self._failures = 0
            return await self._fall_back(ask, FallbackReason.of(error))
        self._failures = 0
        return answer

    async def _fall_back(
        self, ask: Callable[[Brain], Awaitable[AnyAnswer]], why: FallbackReason
    ) -> AnyAnswer:
        log.info("brain_fell_back", primary=self.primary.name, fallback=self.fallback.name, why=why.text)
        answer = await ask(self.fallback)
        note = f"{self.primary.name} brain: {why.text}" + (f"; {answer.note}" if answer.note else "")
        return answer.changed(note=note, ceiling=why.ceiling)


def _leads_nowhere(view: PlannerView, decision: Decision | None) -> str:
    """Why a brain that plans for itself gets no further: a small model may search for a date, or never read. "" if not.

    One round is its own, and it is judged by what it asks for next: one that has searched twice may read now. What
    pages and providers fail at says nothing about it, and neither do results that it was not offered, or has judged
    in this answer.
    """
    is_begun = view.iteration < 2 or view.findings or view.visited
    if is_begun or decision is None or decision.urls or decision.sections:
        return ""
    fruitful = [search for search in view.searches if search.results]
    if decision.action == "done" and not view.to_label:
        is_offered = any(not one.is_asked_for and one.result.priority != "skip" for one in view.candidates)
        return NO_VISITS if view.iteration > 2 and fruitful and is_offered else ""
    asked = set(terms(view.goal, view.language))
    queries = [*(search.query for search in view.searches), *decision.queries]
    is_strange = not any(asked & set(terms(query, view.language)) for query in queries)
    is_answered = all(search.outcome == "ok" for search in view.searches)
    return (
        NO_QUERY if view.searches and decision.queries and is_answered and not fruitful and is_strange else ""
    )
