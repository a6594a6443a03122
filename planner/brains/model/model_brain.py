"""The brain that asks a chat model."""

import asyncio
from collections.abc import Sequence
from functools import cache, partial, reduce
from typing import Final, Self

from planner.brains.model.answers.parse import (
    OFF_SUBJECT_SCORE,
    decision_from,
    labels_of_scorer,
    labels_with_defaults,
    recommendation_from,
)
from planner.brains.model.client import ModelClient, RoleRequest
from planner.brains.model.column_reading import ModelColumnReader
from planner.brains.model.model_brain_settings import ModelSettings
from planner.brains.model.pages.after_reading import (
    answered_by_reading,
    led_by_reading,
    nothing_left_to_read,
    search_read_on,
)
from planner.brains.model.pages.page_reading import (
    asked_fields,
    extractions_from,
    page_documents,
    shown_pages,
)
from planner.brains.model.pages.together import ReadTogether
from planner.brains.model.prompts.decision_documents import (
    decision_documents,
    new_ids,
    shown_sections,
    shown_urls,
)
from planner.brains.model.prompts.judging import (
    analysis_from,
    evaluation_from,
    is_judged,
    judging_documents,
    query_documents,
)
from planner.brains.model.prompts.prompt_documents import (
    recommendation_documents,
    scoring_documents,
)
from planner.brains.model.prompts.prompt_outline import named_evidence, outline_from, shown_evidence
from planner.brains.model.statement_checker import StatementChecker
from planner.brains.model.writing.report_writer import ReportWriter
from planner.brains.queries import opening_search
from planner.brains.result_labels import labelled_view
from prompts.answers import (
    ExtractorAnswer,
    PlannerAnswer,
    RecommenderAnswer,
    ScorerAnswer,
)
from prompts.fences import fence_of
from prompts.loader import Prompt, load
from prompts.repair import Repair, repaired_here
from prompts.schemas import (
    MOST_LABELS,
    extractor_schema,
    planner_schema,
    recommender_schema,
    scorer_schema,
)
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.config import Config
from research_crawler.core.models.evidence.entailment import Pair, Readings, unread
from research_crawler.core.models.evidence.findings import Extraction
from research_crawler.core.models.jobs.column_reading import ColumnsView, PickedValues
from research_crawler.core.models.jobs.decisions import (
    BY_CODE,
    Answered,
    Decision,
    LabelRequest,
    PageView,
    PlannerView,
    ResultLabel,
)
from research_crawler.core.models.reports.drafts import (
    RecommendationDraft,
    RecommendationView,
    ReportDraft,
    ReportView,
)
from research_crawler.core.ports.models import Budget, Call, ChatModel, Embedder, SchemaMemory, Schemas
from research_crawler.core.tasks.offload import offload_call

_TOGETHER: Final = (
    "search_query_optimizer",
    "research_query_refiner",
    "planner_labels",
    "analyzer",
    "research_relevance_evaluator",
    "planner_outline",
)
_LAST: Final = "planner_decision_logic"
"""Its inputs change with every call."""
MOST_FAILED: Final = 2
"""After so many first answers of no use, a model is asked with flat schemas from then on; one may be an accident."""


class ModelBrain:
    """Decides, labels, extracts and writes with a chat model behind any OpenAI-compatible endpoint."""

    name = "model"

    def __init__(
        self,
        chat: ChatModel,
        budget: Budget | None = None,
        settings: ModelSettings | None = None,
        *,
        embedder: Embedder | None = None,
        repair: Repair = repaired_here,
        memory: SchemaMemory | None = None,
    ) -> None:
        """Without a budget, calls reserve no tokens and their answers are not kept; `embedder` finds the evidence of
        a report's sections, which without one words alone do; `repair` makes JSON of an answer that is none; `memory`
        knows which schemas the model has kept to in earlier processes."""
        self._embedder = embedder
        self._client = ModelClient(chat, budget, settings or ModelSettings(), repair=repair)
        self._together = ReadTogether(self._read)
        self._compliance, own = SchemaCompliance(memory), settings or ModelSettings()
        self._use(own.flat() if self._compliance.is_flat and own.bounds.reasons else own)

    def _use(self, settings: ModelSettings) -> None:
        self.settings = settings
        self._checker = StatementChecker(self._client, settings, self.name)
        self._columns = ModelColumnReader(self._client, settings, self.name)
        self._writer = ReportWriter(self._client, settings, self.name, self._embedder)

    @classmethod
    def from_config(
        cls,
        config: Config,
        chat: ChatModel,
        budget: Budget | None = None,
        *,
        embedder: Embedder | None = None,
        repair: Repair = repaired_here,
        memory: SchemaMemory | None = None,
    ) -> Self:
        """A brain with the models, temperatures and limits of the settings."""
        settings = ModelSettings.from_config(config)
        return cls(chat, budget, settings, embedder=embedder, repair=repair, memory=memory)

    async def decide(self, view: PlannerView, call: Call) -> Answered:
        """The next action: one of those allowed, and only pages that the model was shown.

        A plain question is first searched for as it is, without the model (`opening_search`), the research ends where
        the last reading answers all that is asked (`answered_by_reading`) or where the model would only say so
        (`nothing_left_to_read`), what a reading names for the rest is looked up (`led_by_reading`), and so are the
        likeliest pages of a search for what it lacks (`search_read_on`).

        New results are labelled in the same answer, or before it where another model has the role of the scorer. The
        first answers show whether the model keeps to so large a schema: see `SchemaCompliance`.
        """
        if opening := opening_search(view):
            return Answered(by=BY_CODE, decision=opening)
        if any(visit.answers_all for visit in view.visited) and (
            ended := await offload_call(answered_by_reading, view, self.name)
        ):
            return ended
        if led := led_by_reading(view, self.name) or search_read_on(view, self.name):
            return led
        if ended := await offload_call(nothing_left_to_read, view, self.name):
            return ended
        if not self.settings.bounds.reasons:
            return await self._decided(view, call, self.settings)
        try:
            answered = await self._decided(view, call, self.settings)
        except BadAnswer:
            if not await self._compliance.failed():
                raise
            self._use(self.settings.flat())
            return await self._decided(view, call, self.settings)
        await self._compliance.kept()
        return answered

    async def _decided(self, view: PlannerView, call: Call, settings: ModelSettings) -> Answered:
        labels: list[ResultLabel] = []
        if view.to_label and not settings.labels_with_decision:
            labels = await self._labels(view.to_label, call)
            view = labelled_view(view, labels)
        shown, new = shown_urls(view), new_ids(view)
        evidence = named_evidence(view, shown_evidence(view))
        has_outline = settings.bounds.reasons
        judges = has_outline and is_judged(view)
        fence = fence_of(call.job)
        question = RoleRequest(
            "planner",
            _planner_prompt(is_small=not has_outline),
            {
                **decision_documents(view, fence, has_outline=has_outline, is_judged=judges),
                **(query_documents(view, fence) | judging_documents(view, fence) if has_outline else {}),
            },
            planner_schema(
                settings.bounds,
                view.allowed,
                list(shown),
                sections=list(shown_sections(view)),
                has_labels=settings.labels_with_decision,
            ),
            also=("scorer",) if new else (),
        )
        answer = await self._client.ask(question, PlannerAnswer, call)
        if view.to_label:
            asked = {id_: shown[id_] for id_ in new}
            labels = labels_with_defaults(
                answer.labels, view.to_label, asked, left_out=OFF_SUBJECT_SCORE, most=MOST_LABELS
            )
        with self._client.counting_failures(call):
            decision = _without_doubtful_pages(decision_from(answer, view, shown), view, labels)
        outline = None if answer.outline is None else outline_from(answer.outline, view, evidence, self.name)
        return Answered(
            by=self.name,
            decision=decision,
            outline=outline,
            labels=labels,
            intent=answer.intent if view.may_classify_goal else None,
            type=answer.type if view.may_classify_goal else None,
            evaluation=evaluation_from(answer.evaluation) if judges else None,
            analysis=analysis_from(answer.analysis, view, pages=shown, named=evidence, by=self.name)
            if judges
            else None,
        )

    async def _labels(self, request: LabelRequest, call: Call) -> list[ResultLabel]:
        """Labels from the scorer's own model; default labels if its answer cannot be used."""
        try:
            return (await self.label(request, call)).labels
        except BadAnswer:
            return labels_with_defaults([], request, {})

    async def label(self, request: LabelRequest, call: Call) -> Answered:
        """Labels for every result; results that the model is not shown or leaves out get default labels."""
        shown = request.results[: self.settings.scored_results]
        if not shown:
            return Answered(by=self.name)
        question = RoleRequest(
            "scorer",
            load("result_scorer"),
            scoring_documents(request, shown, fence_of(call.job)),
            scorer_schema(self.settings.bounds, [f"R{n}" for n in range(1, len(shown) + 1)]),
        )
        answer = await self._client.ask(question, ScorerAnswer, call)
        with self._client.counting_failures(call):
            return Answered(by=self.name, labels=labels_of_scorer(answer, request))

    async def extract(self, page: PageView, call: Call) -> Extraction:
        """What the page says about the goal, in the fields of the job's intent."""
        if page.nosnippet or not page.markdown.strip():
            note = "the page forbids quotes (nosnippet)" if page.nosnippet else "the page is empty"
            return Extraction(by=self.name, note=note)
        if self.settings.bounds.reasons:
            return await self._together.extract(page, call)
        return (await self._read([page], call))[0]

    async def _read(self, pages: Sequence[PageView], call: Call) -> list[Extraction]:
        """What each of some pages says, in one answer."""
        fields = asked_fields(pages[0].job_context.intent)
        show = partial(shown_pages, whole_tokens=self.settings.whole_page_tokens)
        shown = await asyncio.to_thread(show, pages, self.settings.page_tokens)
        question = RoleRequest(
            "extractor",
            load("content_extractor"),
            page_documents(shown, fields, fence_of(call.job)),
            extractor_schema(self.settings.bounds, fields),
        )
        answer = await self._client.ask(question, ExtractorAnswer, call)
        return extractions_from(answer, fields, shown, by=self.name)

    async def write(self, view: ReportView, call: Call) -> ReportDraft:
        """The report's parts, each sentence with its evidence."""
        if not view.findings:
            raise BadAnswer("there is no evidence to write from")
        return await self._writer.write(view, call)

    async def recommend(self, view: RecommendationView, call: Call) -> RecommendationDraft:
        """Which of the best offers fits the goal, each reason with its evidence."""
        if not view.offers:
            return RecommendationDraft(by=self.name)
        offers = view.offers[: self.settings.shown_offers]
        findings = view.findings[: self.settings.shown_evidence]
        question = RoleRequest(
            "recommender",
            load("recommender"),
            recommendation_documents(view, offers, findings, fence_of(call.job)),
            recommender_schema(
                self.settings.bounds,
                [f"P{n}" for n in range(1, len(offers) + 1)],
                [f"E{n}" for n in range(1, len(findings) + 1)],
            ),
        )
        answer = await self._client.ask(question, RecommenderAnswer, call)
        with self._client.counting_failures(call):
            return recommendation_from(answer, len(offers), len(findings), self.name)

    async def check_entailment(
        self, pairs: Sequence[Pair], call: Call, *, question: str = "", language: str = "en"
    ) -> Readings:
        """What the model reads in the quotes about each statement."""
        return (
            await self._checker.check_entailment(pairs, call, question=question, language=language)
            if pairs
            else unread(0, self.name)
        )

    async def pick_values(self, view: ColumnsView, call: Call) -> PickedValues:
        """The values that passages have of the row's open columns."""
        return await self._columns.pick(view, call) if view.passages else PickedValues(by=self.name)


def _without_doubtful_pages(decision: Decision, view: PlannerView, labels: Sequence[ResultLabel]) -> Decision:
    """The decision, of whose searches none waits for a page that its own labels expect little of: with what they find,
    the model chooses again, and reads that page beside better ones. A page with a label from before is wanted now."""
    if decision.action != "search" or view.depth == "deep" or view.quality.is_thorough:
        return decision
    doubtful = {label.url for label in labels if label.score < view.quality.enough_relevance}
    return decision.changed(
        urls=[url for url in decision.urls if url in view.given_urls or url not in doubtful]
    )


@cache
def _planner_prompt(*, is_small: bool) -> Prompt:
    """The planner's prompt: all that it may be asked for at any time, so that a provider can keep it for all calls of
    all jobs; the schema says what is asked for now. A small model is told only how to decide."""
    names = (_LAST,) if is_small else (*_TOGETHER, _LAST)
    return reduce(Prompt.joined, map(load, names), load("planner_core"))


class SchemaCompliance:
    """What the first answers of a model have shown, for all jobs, and for later processes where it is remembered."""

    def __init__(self, memory: SchemaMemory | None = None) -> None:
        self._failed, self._memory = 0, memory
        self._known: Schemas | None = memory.read() if memory else None

    @property
    def is_flat(self) -> bool:
        """Whether the model is asked with flat schemas."""
        return self._known == "flat"

    async def kept(self) -> None:
        """The model has kept to the large schema: what fails later is an accident."""
        if self._known is None:
            await self._keep("large")

    async def failed(self) -> bool:
        """Note an answer of no use; whether the model is to be asked with flat schemas from now on."""
        if self._known is not None:
            return self.is_flat
        self._failed += 1
        if self._failed >= MOST_FAILED:
            await self._keep("flat")
        return self.is_flat

    async def _keep(self, schemas: Schemas) -> None:
        self._known = schemas
        if self._memory:
            await asyncio.to_thread(self._memory.keep, schemas)
