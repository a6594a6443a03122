"""Errors of brains and of the models that they ask; `errors.py` draws the tree."""

from dataclasses import dataclass
from typing import Self

from research_crawler.core.errors import ControlFlow, ResearchError
from research_crawler.core.models.reasons import CeilingOwner


class BrainFailed(ResearchError):
    """A brain could not answer."""


class BadAnswer(BrainFailed):
    """The model's answer does not parse, not even after one repair."""


class BrainUnavailable(BrainFailed):
    """The endpoint is down, refuses, or does not answer in time."""

    def __init__(
        self,
        reason: str,
        *,
        retry_after_ms: int | None = None,
        maybe_paid: bool = False,
        is_timeout: bool = False,
    ) -> None:
        """Make the error.

        Args:
            reason: what happened, in one line.
            retry_after_ms: the pause that the endpoint asked for.
            maybe_paid: it may have charged for the call.
            is_timeout: its answer did not come within the time of the call.
        """
        super().__init__(reason)
        self.retry_after_ms, self.maybe_paid, self.is_timeout = retry_after_ms, maybe_paid, is_timeout


class TooLate(BrainUnavailable):
    """The job had less time left than an answer may take, and the answer did not come: no fault of the endpoint."""


class BudgetExhausted(ControlFlow):
    """A ceiling of tokens or money does not allow another model call."""

    def __init__(self, why: str, whose: CeilingOwner = "job") -> None:
        super().__init__(why)
        self.whose = whose


@dataclass(frozen=True)
class FallbackReason:
    """Why another brain than the job's own answered."""

    text: str
    ceiling: CeilingOwner | None = None
    """Whose ceiling allows no more questions to a model; None: it is another reason."""

    @classmethod
    def of(cls, error: Exception) -> Self:
        """The reason that a brain's error gives; one without words is that of a question that took too long."""
        ceiling = error.whose if isinstance(error, BudgetExhausted) else None
        return cls(str(error) or "it took too long", ceiling)
