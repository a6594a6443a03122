"""What the findings must contain before research is done."""

from collections.abc import Iterable, Sequence

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.text.writing.messages import Messages

WHAT_IS_GOOD = "what makes a good product"
WHAT_IT_COSTS = "what it should cost"
WHAT_USERS_NAME = "models that real users name"
ANY_FINDING = "a finding that answers the goal"

USERS = ("forum", "review")
_KEYS = {
    WHAT_IS_GOOD: "what_is_good",
    WHAT_IT_COSTS: "what_it_costs",
    WHAT_USERS_NAME: "what_users_name",
    ANY_FINDING: "any_finding",
}


def unmet(job: Job, findings: Sequence[Finding]) -> list[str]:
    """What is still missing for an answer, as texts for the planner and the report."""
    if job.inputs.intent == "informational":
        return [] if findings else [ANY_FINDING]
    kinds = {finding.kind for finding in findings}
    lacking = []
    if not kinds & {"spec_to_look_for", "recommendation"}:
        lacking.append(WHAT_IS_GOOD)
    if "price_expectation" not in kinds:
        lacking.append(WHAT_IT_COSTS)
    if not any(f.kind == "recommended_product" and _is_from_users(job, f) for f in findings):
        lacking.append(WHAT_USERS_NAME)
    return lacking


def as_said(missing: Iterable[str], translate: Messages) -> list[str]:
    """What is missing, in the language of the goal; texts of the goal or of a model stay as they are."""
    return [translate(_KEYS[item]) if item in _KEYS else item for item in missing]


def _is_from_users(job: Job, finding: Finding) -> bool:
    """Whether the finding's page is a forum or a review, as the page itself or the scorer says."""
    visit = next((v for v in job.visits if v.command == finding.command), None)
    if visit is None:  # an earlier job found it and checked the kind of its page then
        return not finding.command.startswith(f"{job.id}:")
    labels = {result.type for result in job.results if result.url in (visit.url, visit.final_url)}
    return visit.kind in USERS or bool(labels & set(USERS))
