"""What a job's tokens have bought, by the roles that used them."""

from collections.abc import Callable, Mapping
from typing import Final

from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import RoleTokens


def token_lines(job: Job) -> list[str]:
    """One line a role, the dearest first: calls, tokens, and what came of them."""
    dearest = sorted(job.by_role.items(), key=lambda one: -one[1].prompt_tokens)
    return [_line(role, tokens, job) for role, tokens in dearest]


def _line(role: str, tokens: RoleTokens, job: Job) -> str:
    calls = f"{tokens.calls} call{'s' * (tokens.calls != 1)}"
    cached = f" ({tokens.cached_tokens:,} of them cached)" if tokens.cached_tokens else ""
    bought = _BOUGHT[role](job) if role in _BOUGHT else ""
    told = f"{role.replace('_', ' ')}: {calls}, {tokens.prompt_tokens:,} tokens in{cached}, "
    return f"{told}{tokens.completion_tokens:,} out" + (f" for {bought}" if bought else "")


def _steps(job: Job) -> str:
    return f"{job.plan.searches_used} searches and {job.plan.visits_used} visits"


def _findings(job: Job) -> str:
    return f"{job.plan.findings} findings on {job.plan.pages_read} pages"


_BOUGHT: Final[Mapping[str, Callable[[Job], str]]] = {
    "planner": _steps,
    "extractor": _findings,
    "scorer": lambda job: f"labels of {len(job.results)} results",
    "report": lambda _: "the answer",
    "auditor": lambda _: "the order of the evidence",
    "section_writer": lambda _: "the sections",
    "claim_verifier": lambda _: "a second look at doubtful sentences",
    "recommender": lambda _: "the choice of an offer",
    "product_extractor": lambda _: "what shops' markup leaves open",
    "column_reader": lambda job: f"what code left open of {len(job.inputs.columns)} columns",
}
