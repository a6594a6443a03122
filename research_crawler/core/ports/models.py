"""The interfaces to models: brains, chat endpoints and embeddings, and the budget of model calls."""

from __future__ import annotations  # models of annotations are not loaded by who only talks to Redis

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Literal, Protocol

from research_crawler.core.models.jobs.column_reading import ColumnsView, PickedValues
from research_crawler.core.models.messages.events import Spent, Usage
from research_crawler.core.tasks.work_time import Stopwatch

if TYPE_CHECKING:
    from research_crawler.core.models.evidence.entailment import Pair, Readings
    from research_crawler.core.models.evidence.findings import Extraction
    from research_crawler.core.models.evidence.quality import Judged
    from research_crawler.core.models.jobs.decisions import Answered, LabelRequest, PageView, PlannerView
    from research_crawler.core.models.jobs.job_limits import Limits
    from research_crawler.core.models.jobs.outline import Outline
    from research_crawler.core.models.reports.drafts import (
        RecommendationDraft,
        RecommendationView,
        ReportDraft,
        ReportView,
    )

OPENAI_URL = "https://api.openai.com/v1"
"""The endpoint of those who name none."""


class Embedder(Protocol):
    """Turns text into vectors of unit length."""

    name: str
    dimensions: int

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text, float32, length 1."""
        ...

    def count_tokens(self, text: str) -> int:
        """Number of the model's tokens in a text, without truncation."""
        ...

    def count_tokens_many(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text."""
        ...


GRACE_S = 5.0
"""How long a brain may go on after the deadline of its call before it is cut off."""
MOST_MODEL_NAME = 200
"""Longest name of a model, in the accounts and where a user sets one."""
LONGEST_SLOT_WAIT_S = 120.0
"""Longest wait of a call for a slot of its model endpoint."""


class Call:
    """The job and token under which a brain calls a model, and the keys of these calls.

    A call that is repeated after a crash finds its stored answer under its key. Each try is a new
    reservation.
    """

    def __init__(  # what identifies a call, and its limits
        self,
        *,
        job: str,
        key: str,
        token: str,
        deadline_s: float,
        batch: bool = False,
        longest_wait_s: float = 0.0,
        watch: Stopwatch | None = None,
    ) -> None:
        """Make a call.

        Args:
            job: the job that pays for it.
            key: the job's version or the command id; `next_key` adds role and ordinal.
            token: of the take, or of the command's lease.
            deadline_s: the time for the model's answer to a question, without waits for a slot.
            batch: it waits behind calls of interactive jobs.
            longest_wait_s: longest wait for a slot of the endpoint, in addition to `deadline_s`.
            watch: the stopwatch that stops while the call waits for a slot or for the model's answer.
        """
        self.job, self.key, self.token, self.deadline_s, self.batch = job, key, token, deadline_s, batch
        self.longest_wait_s, self.watch = longest_wait_s, watch or Stopwatch()
        self.usage = Usage()
        """The sum over all model calls made with this object."""
        self._ordinals: dict[str, int] = {}

    def part(self, name: str, *, deadline_s: float) -> Call:
        """The call for one of several questions asked at the same time, with keys of its own.

        Its usage is not counted in that of the whole call.
        """
        return Call(
            job=self.job,
            key=f"{self.key}:{name}",
            token=self.token,
            deadline_s=deadline_s,
            batch=self.batch,
            longest_wait_s=self.longest_wait_s,
            watch=self.watch,
        )

    @property
    def cut_off_s(self) -> float:
        """Seconds after which a brain that still works on the call is cut off."""
        return self.deadline_s + self.longest_wait_s + GRACE_S

    def next_key(self, role: str) -> str:
        """The id of the next call in this role: `key:role:ordinal`."""
        ordinal = self._ordinals.get(role, 0)
        self._ordinals[role] = ordinal + 1
        return f"{self.key}:{role}:{ordinal}"


class Outliner(Protocol):
    """Assigns findings to the sub-questions of a job, without a model."""

    async def outlined(self, view: PlannerView) -> Outline:
        """The outline of a job with the findings that answer each leaf."""
        ...


class EvidenceJudge(Protocol):
    """Judges the evidence of a job without a model."""

    async def judged(self, view: PlannerView) -> Judged | None:
        """The evaluation and the analysis of all findings; None while there is nothing to judge."""
        ...


class Brain(Protocol):
    """Makes the planner's choices. There are two: a model, and the extractive brain, which needs no model.

    All methods may raise BrainFailed or BudgetExhausted; then `planner.brains.fallback` asks the other brain.
    """

    name: str

    async def decide(self, view: PlannerView, call: Call) -> Answered:
        """Label the view's new results, and choose the next action."""
        ...

    async def label(self, request: LabelRequest, call: Call) -> Answered:
        """Label every search result, the best first; planning asks for labels by `decide`."""
        ...

    async def extract(self, page: PageView, call: Call) -> Extraction:
        """Find what a page says about the goal, each finding with its quote."""
        ...

    async def write(self, view: ReportView, call: Call) -> ReportDraft:
        """Write the answer, the key findings and the journey of the report."""
        ...

    async def recommend(self, view: RecommendationView, call: Call) -> RecommendationDraft:
        """Choose the best offer, with reasons and their evidence."""
        ...

    async def check_entailment(
        self, pairs: Sequence[Pair], call: Call, *, question: str = "", language: str = "en"
    ) -> Readings:
        """Whether quotes say what statements say: one reading a pair, in their order; `language` is that of rewordings.

        The statements of one call are those of one report that answers `question`: what its asker tells needs no quote.

        Code compares figures, dates, names, negations and commands; meaning is read here. A brain that cannot read
        leaves all open (`unread`).
        """
        ...

    async def pick_values(self, view: ColumnsView, call: Call) -> PickedValues:
        """The values of the columns that code left open, each with its passage; a brain that cannot read names none."""
        ...


Schemas = Literal["large", "flat"]
"""Which schemas a model keeps to: those with lists of objects too, or only those of few plain fields."""


class SchemaMemory(Protocol):
    """Remembers across processes which schemas a model keeps to."""

    def read(self) -> Schemas | None:
        """What earlier processes have found; None: nothing."""
        ...

    def keep(self, schemas: Schemas) -> None:
        """Keep it for later processes; it may block on a small file."""
        ...


class ChatModel(Protocol):
    """A chat endpoint. It does not retry, because each try needs a reservation of its own."""

    name: str

    async def complete(
        self,
        *,
        system: str,
        user: str,
        temperature: float,
        max_tokens: int,
        schema: Mapping[str, Any] | None,
        timeout_s: float,
        model: str = "",
    ) -> ChatAnswer:
        """One answer. An empty `model` means the default one. Raises BrainUnavailable."""
        ...

    async def check(self) -> None:
        """Check the endpoint. Raises EndpointUnusable with one line that says what to do."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class ChatAnswer:
    """A model's raw answer and what it cost."""

    def __init__(
        self,
        text: str,
        prompt_tokens: int,
        completion_tokens: int,
        model: str,
        *,
        cached_tokens: int = 0,
        is_cut: bool = False,
        has_reasoned: bool = False,
    ) -> None:
        """Make an answer.

        Args:
            text: the answer.
            prompt_tokens: of the whole prompt.
            completion_tokens: of the answer, thoughts included.
            model: the name of the model that gave it.
            cached_tokens: those of the prompt that the provider had read before, and bills for less.
            is_cut: it ended at its limit of tokens.
            has_reasoned: part of its tokens were thoughts.
        """
        self.text, self.prompt_tokens, self.completion_tokens, self.model = (
            text, prompt_tokens, completion_tokens, model)  # fmt: skip
        self.cached_tokens = cached_tokens
        self.is_cut, self.has_reasoned = is_cut, has_reasoned


class SharedSpending(Protocol):
    """Looks at the ceilings that a job shares with others."""

    async def shared_spent(self, limits: Limits, batch: str) -> Spent:
        """The ceiling of the day, or of the batch with this id, that is nearer to its end."""
        ...


class Budget(Protocol):
    """Books tokens and money: `reserve` before a model call, `spend` after it. Ceilings hold over all workers."""

    async def reserve(
        self,
        *,
        job: str,
        call: str,
        token: str,
        bound_tokens: int,
        deadline_s: float,
        bound_usd: float = 0.0,
        model: str = "",
    ) -> str:
        """Book an upper bound for a call of this model; its id. Raises BudgetExhausted, LeaseLost."""
        ...

    async def spend(
        self,
        reservation: str,
        *,
        job: str,
        call: str,
        token: str,
        tokens: int,
        answer: str,
        usd: float = 0.0,
    ) -> None:
        """Book what was really used and, if the token is still current, store the answer under `call`."""
        ...

    async def kept_answer(self, *, job: str, call: str) -> str | None:
        """The answer that an earlier take or lease stored for this call."""
        ...

    def model_permit(
        self, origin: str, reservation: str, *, batch: bool = False
    ) -> AbstractAsyncContextManager[None]:
        """Hold one of the endpoint's permits; wait while it is full or blocked."""
        ...

    async def block_model(self, origin: str, retry_after_ms: int) -> None:
        """Block the endpoint for all workers, after a 429 or Retry-After."""
        ...
