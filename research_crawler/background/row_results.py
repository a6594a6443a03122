"""What came of a row of a batch: its state, and its answer with what it cost, from its job and report."""

from typing import Final

from planner.job.outcome import cause_of
from research_crawler.core.brain_errors import CEILING_PHRASE
from research_crawler.core.models.jobs.batches import RowResult, RowState
from research_crawler.core.models.jobs.columns import told_value
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.report import Report

_ANSWER_CHARS: Final = 1_000
_MOST_SOURCES: Final = 5


def result_of_row(job: Job, report: Report) -> tuple[RowState, RowResult]:
    """The state of a row whose job is over, and its result."""
    cause = cause_of(job)
    result = RowResult(
        answer=_answer(report),
        confidence=confidence_of(job, report),
        findings=job.plan.findings,
        sources=[source.url for source in report.sources[:_MOST_SOURCES]],
        values=report.values,
        tokens=job.usage.prompt_tokens + job.usage.completion_tokens,
        usd=job.usage.usd,
        searches=job.plan.searches_used,
        pages=job.plan.pages_read,
        pages_fetched=job.pages_fetched,
        seconds=round(report.metrics.seconds, 3),
        cause=cause,
        error=job.error[:_ANSWER_CHARS],
    )
    if job.state == "cancelled":
        return "cancelled", result
    has_answer = bool(report.claims or any(value.value is not None for value in report.values))
    if job.state == "failed" or (cause and not (CEILING_PHRASE in cause and has_answer)):
        return "failed", result
    nulls = sum(value.value is None for value in report.values)
    if nulls == len(report.values) and (nulls or report.exit_code == 3):
        return "insufficient", result
    return ("partly" if nulls else "done"), result


def _answer(report: Report) -> str:
    """The values that were found, each with its name, and behind them the first sentences of the report."""
    told = ((value.name, told_value(value)) for value in report.values if value.value is not None)
    found = [f"{name}: {text}{'' if text.endswith(('.', '!', '?', '…')) else '.'}" for name, text in told]
    return " ".join([*found, *(claim.text for claim in report.claims)])[:_ANSWER_CHARS]


def confidence_of(job: Job, report: Report) -> float | None:
    """How sure the answer is: the mean of its pages' confidence, and of its values where it has columns."""
    asked = [value for value in report.values if value.value is not None]
    if report.values:
        return round(sum(value.confidence for value in asked) / len(report.values), 3)
    if report.quality.confidence is not None:
        return report.quality.confidence
    read = [visit.confidence for visit in job.visits if visit.what == "ok" and visit.findings]
    return round(sum(read) / len(read), 3) if read and report.claims else None
