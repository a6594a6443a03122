"""What each error of ours means to a caller, at every interface: a code for programs, and whose turn it is."""

from enum import StrEnum
from typing import NamedTuple

from research_crawler.core.errors import (
    InterventionOver,
    JobIsOver,
    JobNotOver,
    NoReport,
    NotStarted,
    RedisFull,
    ResearchError,
    StorageFull,
    UnknownBatch,
    UnknownEvidence,
    UnknownIntervention,
    UnknownJob,
    UnknownWatch,
    UsageError,
)


class ErrorKind(StrEnum):
    """What a caller can do; an interface gives each of these the number that its protocol has for it."""

    UNKNOWN = "unknown"
    """Nothing has this name."""
    WRONG_STATE = "wrong_state"
    """What is named is not in the state for it, or not yet."""
    BAD_INPUT = "bad_input"
    """The request has to be changed."""
    TRY_LATER = "try_later"
    """The same request may work later."""
    FULL = "full"
    """Whoever runs the system has to make room."""


class ErrorCode(NamedTuple):
    """An error with its code."""

    error: type[ResearchError]
    code: str
    kind: ErrorKind


ERROR_CODES: tuple[ErrorCode, ...] = (
    ErrorCode(UnknownJob, "unknown_job", ErrorKind.UNKNOWN),
    ErrorCode(UnknownWatch, "unknown_watch", ErrorKind.UNKNOWN),
    ErrorCode(UnknownBatch, "unknown_batch", ErrorKind.UNKNOWN),
    ErrorCode(UnknownIntervention, "unknown_intervention", ErrorKind.UNKNOWN),
    ErrorCode(InterventionOver, "intervention_over", ErrorKind.WRONG_STATE),
    ErrorCode(UnknownEvidence, "unknown_evidence", ErrorKind.UNKNOWN),
    ErrorCode(JobNotOver, "job_not_over", ErrorKind.WRONG_STATE),
    ErrorCode(JobIsOver, "job_is_over", ErrorKind.WRONG_STATE),
    ErrorCode(NoReport, "no_report", ErrorKind.WRONG_STATE),
    ErrorCode(UsageError, "bad_input", ErrorKind.BAD_INPUT),
    ErrorCode(NotStarted, "not_started", ErrorKind.TRY_LATER),
    ErrorCode(RedisFull, "storage_full", ErrorKind.TRY_LATER),
    ErrorCode(StorageFull, "storage_full", ErrorKind.FULL),
)
"""The first that fits counts, so an error stands before the one that it is a kind of."""


def code_of(error: Exception) -> ErrorCode | None:
    """The code of an error; None: something failed that no caller can mend."""
    return next((one for one in ERROR_CODES if isinstance(error, one.error)), None)
