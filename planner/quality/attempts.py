"""Keep the attempts of a job: each round of searches, why it was made, and how good the evidence is since."""

from collections.abc import Sequence
from typing import Final

from research_crawler.core.models.evidence.quality import Analysis, Assessed, Attempt, Evaluation
from research_crawler.core.models.jobs.decisions import Decision
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import ProviderReport

MOST_KEPT: Final = 8
"""Most attempts that a job's record keeps; the best one is always among them."""
MOST_QUERIES, QUERY_CHARS, WHY_CHARS, REASON_CHARS = 5, 160, 200, 300
"""Most queries that an attempt keeps, and their longest text, that of its why and of its judgement."""
MOST_DOMAINS, KEPT_DOMAIN_CHARS = 5, 80
"""Most expected domains that an attempt keeps, and the longest one."""
ASSESSED_ROOM: Final = 4_000
"""Most bytes of attempts and analysis together: a job's record is bounded."""
REFUSES_QUERY: Final = frozenset({400, 403, 414, 422})
"""Answers with which a provider refuses a query, mostly because it is too long or malformed."""


def opened_attempt(assessed: Assessed, decision: Decision, queries: Sequence[str], number: int) -> Assessed:
    """The attempts with a new one: the searches of the round with this number."""
    attempts = assessed.attempts
    opened = Attempt(
        n=attempts[-1].n + 1 if attempts else 1,
        round=number,
        queries=[query[:QUERY_CHARS] for query in queries[:MOST_QUERIES]],
        why=" ".join(decision.reason.split())[:WHY_CHARS],
        expected_domains=[name[:KEPT_DOMAIN_CHARS] for name in decision.expected_domains[:MOST_DOMAINS]],
    )
    return assessed.changed(attempts=_kept([*attempts, opened]))


def with_refusals(assessed: Assessed, number: int, providers: Sequence[ProviderReport]) -> Assessed:
    """The attempts with the providers that refused a query of this round, each with status and URL."""
    refused = [
        f"{report.provider}: {report.status} {report.url}"[: KEPT_DOMAIN_CHARS * 3].strip()
        for report in providers
        if not report.ok and report.status in REFUSES_QUERY
    ]
    if not refused:
        return assessed
    attempts = [
        attempt.changed(refused=list(dict.fromkeys([*attempt.refused, *refused]))[:MOST_DOMAINS])
        if attempt.round == number
        else attempt
        for attempt in assessed.attempts
    ]
    return assessed.changed(attempts=attempts)


def with_evaluation(
    assessed: Assessed, evaluation: Evaluation | None, analysis: Analysis | None, by: str
) -> Assessed:
    """The attempts after an evaluation: the last attempt gets the score, and the analysis is the new one."""
    attempts = list(assessed.attempts)
    if attempts and evaluation is not None:
        short = Evaluation(
            relevance=evaluation.relevance,
            confidence=evaluation.confidence,
            coverage=evaluation.coverage,
            should_retry=evaluation.should_retry,
            reasons=" ".join(evaluation.reasons.split())[:REASON_CHARS],
        )
        attempts[-1] = attempts[-1].changed(evaluation=short, by=by)
    return within_room(assessed.changed(attempts=attempts, analysis=analysis or assessed.analysis))


def best_attempt(attempts: Sequence[Attempt]) -> Attempt | None:
    """The attempt with the best evaluation, the later one of equal ones; None if none was evaluated."""
    rated = [
        (attempt.evaluation.score, attempt.n, attempt)
        for attempt in attempts
        if attempt.evaluation is not None
    ]
    return max(rated, key=lambda entry: entry[:2])[2] if rated else None


def attempts_used(job: Job) -> int:
    """Rounds whose searches gave results or still run; one whose queries all failed leaves room for another.

    What was searched before a review opened the present round does not count.
    """
    begun = job.plan.review_round_start.round
    return len(
        {search.round for search in job.searches if search.outcome in ("", "ok") and search.round > begun}
    )


def attempts_allowed(job: Job) -> int:
    """Most rounds of searches of a job: each sub-question beside the first allows one more.

    The first search for a sub-question is no second attempt at another one.
    """
    return job.limits.max_attempts + max(0, len(job.outline.leaves) - 1)


def within_room(assessed: Assessed) -> Assessed:
    """Attempts and analysis within ASSESSED_ROOM: leads, suggestions and the oldest attempts go first."""
    while len(assessed.model_dump_json().encode()) > ASSESSED_ROOM:
        analysis = assessed.analysis
        if analysis and analysis.leads:
            assessed = assessed.changed(analysis=analysis.changed(leads=analysis.leads[:-1]))
        elif analysis and analysis.new_potential_urls:
            urls = analysis.new_potential_urls[:-1]
            assessed = assessed.changed(analysis=analysis.changed(new_potential_urls=urls))
        elif analysis and analysis.inconsistencies_found:
            found = analysis.inconsistencies_found[:-1] or None
            assessed = assessed.changed(analysis=analysis.changed(inconsistencies_found=found))
        elif len(assessed.attempts) > 2:
            assessed = assessed.changed(attempts=_without_oldest(assessed.attempts))
        else:
            break
    return assessed


def _kept(attempts: list[Attempt]) -> list[Attempt]:
    while len(attempts) > MOST_KEPT:
        attempts = _without_oldest(attempts)
    return attempts


def _without_oldest(attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts without the oldest one that is not the best."""
    best = best_attempt(attempts)
    oldest = next(attempt for attempt in attempts if attempt is not best)
    return [attempt for attempt in attempts if attempt is not oldest]
