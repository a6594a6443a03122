"""What an answer needs before research is done (row 1.14)."""

from collections.abc import Sequence

from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job

WHAT_IS_GOOD = "what makes a good product"
WHAT_IT_COSTS = "what it should cost"
WHAT_USERS_NAME = "models that real users name"
ANY_FINDING = "a finding that answers the goal"

USERS = ("forum", "review")


def unmet(job: Job, findings: Sequence[Finding]) -> list[str]:
    """What the list of row 1.14 still lacks, in its words."""
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


def _is_from_users(job: Job, finding: Finding) -> bool:
    """Whether the finding's page is a forum or a review, by the page itself or by the scorer."""
    visit = next((v for v in job.visits if v.command == finding.command), None)
    if visit is None:  # of an earlier job, whose own list it was on
        return not finding.command.startswith(f"{job.id}:")
    labels = {result.type for result in job.results if result.url in (visit.url, visit.final_url)}
    return visit.kind in USERS or bool(labels & set(USERS))
