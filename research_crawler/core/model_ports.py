"""The interfaces to what thinks: brains, chat endpoints and embeddings, and the budget that pays for them."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from research_crawler.core.models.decisions import (
    Answered,
    PageView,
    PlannerView,
    RecommendationDraft,
    RecommendationView,
    ReportDraft,
    ReportView,
    ScoreRequest,
)
from research_crawler.core.models.events import Usage
from research_crawler.core.models.findings import Extraction

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
        """Length of a text in the model's tokens, without truncation."""
        ...


GRACE_S = 5.0
"""How long a brain may go on after the deadline of its call before it is cut off."""


class Call:
    """Who asks a model and who pays: the place of a call in a job's record.

    The same call made again after a crash finds its answer under `key`; a new try is a new reservation.
    """

    def __init__(self, *, job: str, key: str, token: str, deadline_s: float, batch: bool = False) -> None:
        """`key` is `version` or the command id; roles and ordinals are appended by the brain."""
        self.job, self.key, self.token, self.deadline_s, self.batch = job, key, token, deadline_s, batch
        self.usage = Usage()
        """Grows with every model call made under this object."""
        self._ordinals: dict[str, int] = {}

    def next_key(self, role: str) -> str:
        """The id of the next call in this role: `key:role:ordinal`."""
        ordinal = self._ordinals.get(role, 0)
        self._ordinals[role] = ordinal + 1
        return f"{self.key}:{role}:{ordinal}"


class Brain(Protocol):
    """What decides. Two exist: a model, and the extractive brain, which needs none.

    All methods raise BrainFailed or BudgetExhausted; `planner.brains.fallback` answers those with the other brain.
    """

    name: str

    async def decide(self, view: PlannerView, call: Call) -> Answered:
        """The next action (row 1.1)."""
        ...

    async def score(self, request: ScoreRequest, call: Call) -> Answered:
        """A label for every result, best first (row 1.12)."""
        ...

    async def extract(self, page: PageView, call: Call) -> Extraction:
        """What the page gives for the goal, each entry with its quote (row 1.13)."""
        ...

    async def write(self, view: ReportView, call: Call) -> ReportDraft:
        """Answer, key findings and journey of the report (row 5.7)."""
        ...

    async def recommend(self, view: RecommendationView, call: Call) -> RecommendationDraft:
        """Which offer is best and why, each reason with its evidence (row 2.4)."""
        ...


class ChatModel(Protocol):
    """A chat endpoint: one try, no retries (each try is a reservation of its own)."""

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
    ) -> "ChatAnswer":
        """Raises BrainUnavailable. `model` is one of the endpoint's; empty: the one it was made for."""
        ...

    async def check(self) -> None:
        """Raises EndpointUnusable with a line that says what to do when the endpoint is dead or refuses the key."""
        ...

    async def close(self) -> None:
        """Free connections."""
        ...


class ChatAnswer:
    """A model's raw answer and what it cost."""

    def __init__(self, text: str, prompt_tokens: int, completion_tokens: int, model: str) -> None:
        self.text, self.prompt_tokens, self.completion_tokens, self.model = (
            text, prompt_tokens, completion_tokens, model)  # fmt: skip


class Budget(Protocol):
    """Reserve before a model call, spend after it; token ceilings hold over all workers."""

    async def reserve(self, *, job: str, call: str, token: str, bound_tokens: int, deadline_s: float) -> str:
        """Book an upper bound; answers the reservation's id. Raises BudgetExhausted, LeaseLost."""
        ...

    async def spend(
        self, reservation: str, *, job: str, call: str, token: str, tokens: int, answer: str
    ) -> None:
        """Set the true amount and, while the token is current, keep the answer under `call`."""
        ...

    async def kept_answer(self, *, job: str, call: str) -> str | None:
        """The answer kept for this call by an earlier take or lease."""
        ...

    def model_permit(
        self, origin: str, reservation: str, *, batch: bool = False
    ) -> AbstractAsyncContextManager[None]:
        """Hold one of the endpoint's permits; waits while it is full or blocked."""
        ...

    async def block_model(self, origin: str, retry_after_ms: int) -> None:
        """429 or Retry-After of the endpoint: everybody waits."""
        ...
