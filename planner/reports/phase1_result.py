"""The result of phase 1, from which phase 2 can start."""

from collections.abc import Sequence

from planner.goal.goal_subject import asked_of
from planner.job.clock import elapsed_s
from planner.job.findings import claims_of
from planner.offers.mentions import hinted_names, search_terms
from planner.offers.price_expectations import learned_range
from planner.reports.records.state_document import state_document
from research_crawler.core.models.evidence.findings import ENTRY_FIELDS, Finding
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.report import Phase1Finding, Phase1Intelligence
from research_crawler.core.vendors import Catalogue


def phase1_of(
    job: Job, findings: Sequence[Finding], catalogue: Catalogue | None = None
) -> Phase1Intelligence:
    """The result of phase 1, once it is over, from the job's record and findings.

    Args:
        catalogue: to recognise the vendors that sentences name.
    """
    vendors = catalogue.for_region(job.inputs.region) if catalogue else []
    return Phase1Intelligence(
        success=bool(findings),
        goal=job.inputs.goal,
        intelligence=intelligence_of(job.inputs.intent, findings),
        findings=[Phase1Finding(kind=f.kind, claim=f.claim, quote=f.quote, url=f.url) for f in findings],
        vendor_hints=hinted_names(findings, vendors),
        search_terms=search_terms(job, findings),
        price_range=learned_range(findings, asked_of(job.inputs), job.inputs.language),
        sources=read_urls(job, findings),
        research_state_md=state_document(job, findings),
        searches_used=job.plan.searches_used,
        pages_visited=pages_read(job),
        elapsed_seconds=round(elapsed_s(job, 0), 3),
    )


def intelligence_of(intent: Intent, findings: Sequence[Finding]) -> dict[str, list[str]]:
    """Claims by field name: all fields of the intent, and those of the other intent that are not empty."""
    other_intent: Intent = "commerce" if intent == "informational" else "informational"
    fields = {name: claims_of(findings, [kind]) for name, kind in ENTRY_FIELDS[intent].items()}
    more = {
        name: claims
        for name, kind in ENTRY_FIELDS[other_intent].items()
        if (claims := claims_of(findings, [kind]))
    }
    return fields | more


def read_urls(job: Job, findings: Sequence[Finding]) -> list[str]:
    """URLs of the pages that the job has read: those of its record, and those with findings that it dropped from it."""
    visits = (visit.final_url or visit.url for visit in job.visits if visit.outcome == "ok")
    dropped = (finding.url for finding in findings if finding.command.startswith(f"{job.id}:"))
    return list(dict.fromkeys([*visits, *dropped]))


def pages_read(job: Job) -> int:
    """Number of pages that the job has read, from the web or from the page store."""
    return job.plan.pages_read
