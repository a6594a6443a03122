"""Errors of brains and of the models that they ask; `errors.py` draws the tree."""

from typing import Final

from research_crawler.core.errors import ControlFlow, ResearchError

CEILING_PHRASE: Final = " ceiling of the "
"""What every refusal of a ceiling says; a job's record keeps it as the reason why no model is asked any more."""


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
    """A ceiling of tokens or money does not allow another model call. `whose` is that of the job, batch or day."""

    def __init__(self, why: str, whose: str = "job") -> None:
        super().__init__(why)
        self.whose = whose
