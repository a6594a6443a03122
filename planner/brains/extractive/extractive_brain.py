"""The brain that works without a model: it goes by nearness, words and what pages name."""

from array import array
from collections import OrderedDict
from collections.abc import Sequence

from planner.brains.extractive.answering.write import write_answer
from planner.brains.extractive.extract import Picker, extract_quotes, pick_here
from planner.brains.extractive.fill import filled_outline
from planner.brains.extractive.judge import judgement_of
from planner.brains.extractive.nearness import similarity_index
from planner.brains.extractive.policy.commerce import commerce_gaps
from planner.brains.extractive.policy.decide import chosen_decision
from planner.brains.extractive.policy.label_results import label_results
from planner.brains.extractive.policy.second_hop import NextHop, next_hops
from planner.brains.question_and_outline import question_to_answer
from planner.brains.result_labels import labelled_view
from planner.goal.stack import unnamed_stack, with_stack
from planner.offers.recommendation import ranked_recommendation
from planner.quality.attempts import with_evaluation
from planner.quality.quality_policy import is_settled_by
from research_crawler.core.models.evidence.entailment import Pair, Readings, unread
from research_crawler.core.models.evidence.findings import Extraction
from research_crawler.core.models.evidence.quality import Judged
from research_crawler.core.models.jobs.column_reading import ColumnsView, PickedValues
from research_crawler.core.models.jobs.decisions import Answered, LabelRequest, PageView, PlannerView
from research_crawler.core.models.jobs.outline import Outline
from research_crawler.core.models.reports.drafts import (
    RecommendationDraft,
    RecommendationView,
    ReportDraft,
    ReportView,
)
from research_crawler.core.ports.models import Call, Embedder
from research_crawler.core.tasks.offload import MainLoopEmbedder, offload, offload_call

KEPT_VECTORS = 8_000
"""Most vectors kept between calls (12 MB). Every decision compares all findings of a job, and its report ranks them
again; with extraction in the same process they are all known."""


class ExtractiveBrain:
    """Decides, labels, extracts and writes without a model; the default without an API key, and the fallback.

    Everything that it says about a page is a quote from that page.
    """

    name = "extractive"

    def __init__(self, embedder: Embedder, pick: Picker = pick_here) -> None:
        """`pick` picks excerpts from pages; a crawler's does it in the processes that read pages."""
        self._pick = pick
        is_one = isinstance(embedder, RememberingEmbedder)
        self._embedder = MainLoopEmbedder(embedder if is_one else RememberingEmbedder(embedder))

    async def decide(self, view: PlannerView, call: Call) -> Answered:
        """The labels of new results, and the next action by what is open."""
        return await offload(self._decided(view))

    async def _decided(self, view: PlannerView) -> Answered:
        labels = await label_results(view.to_label, self._embedder) if view.to_label else []
        gaps = commerce_gaps(view) if view.intent == "commerce" else []
        outline = await filled_outline(view, self._embedder, gaps=gaps)
        shown = labelled_view(view, labels).changed(outline=outline)
        hops = await self._hops(shown)
        hop_query = next((hop.query for hop in hops if hop.query), "")
        judged = await judgement_of(shown, outline, self._embedder, self.name, hop_query=hop_query)
        evaluation, analysis = judged or (None, None)
        assessed = with_evaluation(view.assessed, evaluation, analysis, self.name)
        if is_settled_by(assessed, view.quality, outline):
            shown = shown.changed(allowed=[action for action in shown.allowed if action != "search"])
        decision = chosen_decision(shown.changed(assessed=assessed), gaps, hops)
        if unnamed := unnamed_stack(view.stack, view.goal):
            decision = decision.changed(queries=[with_stack(query, unnamed) for query in decision.queries])
        return Answered(
            by=self.name,
            decision=decision,
            outline=outline,
            labels=labels,
            evaluation=evaluation,
            analysis=analysis,
        )

    async def _hops(self, view: PlannerView) -> list[NextHop]:
        if not view.findings or view.intent != "informational":
            return []
        question = question_to_answer(view.goal, view.task)
        (vector,) = await self._embedder.embed([question])
        return next_hops(view, await similarity_index(view.findings, question, self._embedder), vector)

    async def outlined(self, view: PlannerView) -> Outline:
        """The outline with the findings so far assigned to what they answer."""
        return await offload(self._filled(view))

    async def _filled(self, view: PlannerView) -> Outline:
        gaps = commerce_gaps(view) if view.intent == "commerce" else []
        return await filled_outline(view, self._embedder, gaps=gaps)

    async def judged(self, view: PlannerView) -> Judged | None:
        """How good the evidence of a job is, for one that ends without a decision of its brain."""
        return await offload(self._judged(view))

    async def _judged(self, view: PlannerView) -> Judged | None:
        return await judgement_of(view, view.outline, self._embedder, self.name)

    async def label(self, request: LabelRequest, call: Call) -> Answered:
        """Labels by similarity to the goal and kind of source, best first."""
        labels = await offload(label_results(request, self._embedder))
        return Answered(by=self.name, labels=labels)

    async def extract(self, page: PageView, call: Call) -> Extraction:
        """The excerpts that answer the goal."""
        return await extract_quotes(page, self._embedder, self._pick)

    async def write(self, view: ReportView, call: Call) -> ReportDraft:
        """A report whose answer consists of findings."""
        return await offload(write_answer(view, self._embedder))

    async def recommend(self, view: RecommendationView, call: Call) -> RecommendationDraft:
        """The offer that ranks first, with reasons that quote the findings."""
        return await offload_call(ranked_recommendation, view, self.name)

    async def check_entailment(
        self, pairs: Sequence[Pair], call: Call, *, question: str = "", language: str = "en"
    ) -> Readings:
        """Nothing: meaning is not read without a model."""
        return unread(len(pairs), self.name)

    async def pick_values(self, view: ColumnsView, call: Call) -> PickedValues:
        """None: code has taken what it can."""
        return PickedValues(by=self.name)


class RememberingEmbedder:
    """An embedder that keeps the vectors of the most recently used texts."""

    def __init__(self, embedder: Embedder, most: int = KEPT_VECTORS) -> None:
        self._embedder, self._most = embedder, most
        self._vectors: OrderedDict[str, Sequence[float]] = OrderedDict()
        self.name, self.dimensions = embedder.name, embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text; only unknown texts are embedded."""
        known: dict[str, Sequence[float]] = {
            text: self._vectors[text] for text in texts if text in self._vectors
        }
        unknown = [text for text in dict.fromkeys(texts) if text not in known]
        fresh = await self._embedder.embed(unknown)
        known |= {text: array("f", vector) for text, vector in zip(unknown, fresh, strict=True)}
        for text in texts:
            self._vectors[text] = known[text]
            self._vectors.move_to_end(text)
        while len(self._vectors) > self._most:
            self._vectors.popitem(last=False)
        return [list(known[text]) for text in texts]

    def count_tokens(self, text: str) -> int:
        """Length of a text in the model's tokens."""
        return self._embedder.count_tokens(text)

    def count_tokens_many(self, texts: Sequence[str]) -> list[int]:
        """As the embedder does."""
        return self._embedder.count_tokens_many(texts)
