"""The warnings at the top of a report: each thing that a reader must know is said once."""

from collections.abc import Sequence

from planner.quality.attempts import best_attempt
from planner.quality.quality_policy import is_hardly_relevant, wants_help
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.text.plain_text import clean_line
from research_crawler.text.writing.messages import Messages


def report_warnings(
    job: Job,
    *,
    has_evidence: bool,
    is_answered: bool,
    dropped: int,
    translate: Messages,
    has_offer: bool = False,
    why_not: str = "",
) -> list[str]:
    """The job's warnings and those of its report.

    Where nothing answers the question, one sentence says so, and what is missing is not listed beside it.

    Args:
        has_evidence: whether any page gave a finding.
        is_answered: whether there is an answer, or an offer that is recommended.
        dropped: how many sentences of the draft named no valid evidence.
        has_offer: whether an offer is recommended, which says more than how pages fit the question.
        why_not: why there is no answer, if that is something else than what the pages say.
    """
    warnings = list(job.warnings)
    if not (has_evidence and is_answered):
        missing = translate("not_found_items", items="; ".join(job.plan.missing))
        warnings = [warning for warning in warnings if warning != _as_kept(missing)]
    if dropped:
        warnings.append(translate("sentences_uncited", n=dropped))
    if not has_evidence:
        # Why nothing could be found comes before what that led to.
        warnings = [*_failed_searches(job, translate), *warnings, translate("no_answer")]
    elif not is_answered:
        warnings.append(why_not or translate("not_answered"))
    elif not has_offer and is_hardly_relevant(job.assessed.attempts, job.limits.quality):
        best = best_attempt(job.assessed.attempts)
        relevance = translate.number(
            best.evaluation.relevance if best and best.evaluation else 0.0, decimals=1
        )
        warnings.insert(0, translate("weak_research", relevance=relevance))
    if wants_help(job):
        warnings.insert(0, translate("evidence_required"))
    why = _as_kept(job.plan.fallback)
    return each_once(warnings, unless={translate("took_over", reason=why): why})


def is_insufficient(job: Job, *, is_answered: bool, has_offer: bool) -> bool:
    """Whether the evidence does not carry an answer: the command then ends with code 3."""
    if job.plan.last_resort or wants_help(job) or not (is_answered or has_offer):
        return True
    return not has_offer and is_hardly_relevant(job.assessed.attempts, job.limits.quality)


def each_once(warnings: Sequence[str], *, unless: dict[str, str] | None = None) -> list[str]:
    """The warnings without those that another one contains.

    Args:
        unless: by warning, the words with which another one says the same.
    """
    kept: list[str] = []
    for index, warning in enumerate(warnings):
        words = _normal((unless or {}).get(warning, warning))
        others = [*map(_normal, kept), *map(_normal, warnings[index + 1 :])]
        if words and any(words in other for other in others):
            continue
        kept.append(warning)
    return kept


def is_said(item: str, warnings: Sequence[str]) -> bool:
    """Whether a warning names this already."""
    return any(_normal(item) in _normal(warning) for warning in warnings)


def same_words(one: str, other: str) -> bool:
    """Whether two texts differ at most in case, spaces and the mark at their end."""
    return _normal(one).rstrip("?") == _normal(other).rstrip("?")


def _as_kept(text: str) -> str:
    return " ".join(text.split())


def _normal(text: str) -> str:
    return " ".join(clean_line(text).casefold().split()).rstrip(".!")


def _failed_searches(job: Job, translate: Messages) -> list[str]:
    """A warning with the reasons (a missing key, a service that is down) if no search worked."""
    failed = [search for search in job.searches if search.outcome not in ("", "ok")]
    if not failed or len(failed) < len(job.searches):
        return []
    reasons = dict.fromkeys(clean_line(search.reason.text) or search.outcome for search in failed)
    return [translate("no_search_worked", reasons="; ".join(reasons))]
