"""What came of a job that is over, in one word for every interface; and why, where nothing worked."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from research_crawler.core.models.jobs.columns import ColumnValue
from research_crawler.core.models.jobs.job import Job, Outcome
from research_crawler.core.models.reasons import Reason
from research_crawler.core.text.translatable import translatable

_CAUSE_CHARS: Final = 200
"""So much of a failure is shown as the cause why nothing was found."""
_NO_NETWORK: Final = frozenset(
    {
        Reason.DNS,
        Reason.CONNECTION,
        Reason.CONNECTION_REFUSED,
        Reason.TIMEOUT,
        Reason.TLS,
        Reason.PROXY,
        Reason.CANCELLED,
    }
)
"""Reasons of pages that say something about the network if no page of a job was read."""
_NUMBERS: Final = re.compile(r"\d[\d,.]*")


def outcome_of_report(
    job: Job, *, is_insufficient: bool, is_doubtful: bool = False, values: Sequence[ColumnValue] = ()
) -> Outcome:
    """What came of a job whose report is written.

    Args:
        job: its record.
        is_insufficient: the evidence does not carry an answer.
        is_doubtful: there are excerpts, and little speaks for it that they answer the question.
        values: the typed values that were asked for. One that is filled answers its question, whatever the rest of the
            evidence carries.
    """
    nulls = sum(value.value is None for value in values)
    if is_insufficient and not job.plan.pages_read and cause_of(job):
        return "nothing_worked"
    if nulls < len(values):
        return "partly" if nulls else "answered"
    if is_insufficient or nulls:
        return "insufficient"
    return "partly" if is_doubtful or _lacks_a_part(job) else "answered"


def outcome_of(job: Job) -> Outcome | None:
    """What came of a job as its record tells it; None if it is not over.

    One that failed or was cancelled may have ended where nobody could note it. A report that waits for a person is no
    end, though what would come of it is noted.
    """
    if job.state == "completed":
        return job.outcome
    if job.state not in ("failed", "cancelled"):
        return None
    if job.report:  # written without a model, because the synthesis never ended
        return "partly"
    return "nothing_worked" if job.state == "failed" else "insufficient"


def why_partly(job: Job) -> str:
    """Why a job is answered in part only, in words that interfaces can say in other languages; "" if it is not."""
    if outcome_of(job) != "partly":
        return ""
    if job.state in ("failed", "cancelled"):
        return translatable("it ended before its report was checked")
    if job.inputs.columns:
        return translatable("not all values were found")
    if _lacks_a_part(job):
        return translatable("no clear answer was found to a part of the question")
    return translatable("little speaks for it that the excerpts answer the question")


def _lacks_a_part(job: Job) -> bool:
    """Whether a question of several parts has one without an answer."""
    return len(job.outline.leaves) > 1 and bool(job.outline.unanswered)


def cause_of(job: Job) -> str:
    """Why a job came to nothing, in words that are the same for all jobs with this cause; "" if it did not."""
    if job.state == "failed":
        return _general(job.error or "failed", job.id)
    if job.plan.ceiling:
        return _general(job.plan.fallback, job.id)
    if job.brain != "extractive" and not job.usage.model_calls and job.plan.fallback:
        return _general(f"the model was not asked: {job.plan.fallback}", job.id)
    if job.plan.pages_read:
        return ""
    if cause := _search_fault(job):
        return _general(f"no search works ({cause})", job.id)
    kinds = {visit.reason.kind for visit in job.visits if visit.outcome and visit.outcome != "ok"}
    if kinds and kinds <= _NO_NETWORK:
        return f"no page can be fetched ({sorted(kinds)[0]})"
    return ""


def _search_fault(job: Job) -> str:
    """What most failed calls of providers have in common, if no search worked; "" if one did."""
    searched = [record for record in job.searches if record.outcome]
    if not searched or any(record.outcome in ("ok", "busy") for record in searched):
        return ""
    reasons = Counter(
        f"{report.provider}: {report.reason.kind or 'failed'}"
        for record in searched
        for report in record.providers
        if not report.ok
    )
    return reasons.most_common(1)[0][0] if reasons else str(searched[-1].reason.kind or searched[-1].outcome)


def _general(text: str, job: str) -> str:
    """The text without what differs from job to job."""
    return _NUMBERS.sub("…", " ".join(text.replace(job, "it").split()))[:_CAUSE_CHARS]
