"""Render run_report.md: what a job did and what it used."""

from planner.goal.report_language import messages_of
from planner.job.allowances import forced_line
from planner.job.tokens_by_role import token_lines
from planner.reports.records.documents import timeline_text
from planner.reports.records.state_document import NONE_YET
from planner.reports.report_text import brains_by_part
from planner.sources.credibility import LEAST_SITE_SHARE, PART_WEIGHTS
from research_crawler.core.models.evidence.quality import Attempt
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import SearchRecord, VisitRecord
from research_crawler.core.models.offers.phase2 import Phase2
from research_crawler.core.models.reports.report import Report
from research_crawler.core.text.counting import count
from research_crawler.text.writing.markdown import address, escape_markdown


def run_report(job: Job, report: Report, *, writer: str, chooser: str = "") -> str:
    """The run report of a finished job.

    Args:
        writer: the brain that wrote the report.
        chooser: the brain that chose an offer, if any.
    """
    sections = {
        "Queries": _lines([_query(search) for search in job.searches]),
        "Quality": _quality(job, report),
        "Attempts": _lines([_attempt(one, report) for one in job.assessed.attempts]),
        "How it ended": _ending(job),
        "Sources": _sources(report),
        "Warnings": _lines([f"- {escape_markdown(warning)}" for warning in report.warnings]),
        "Providers that failed": _lines(_failed_providers(job)),
        "Pages": _lines([_page(visit) for visit in job.visits]),
        **({"Vendors": _lines(_vendors(job.phase2))} if job.phase2 else {}),
        "Used": _used(job, report),
        "Brain per part": _lines(
            [f"- {p}: {escape_markdown(b)}" for p, b in brains_by_part(job, writer, chooser).items()]
        ),
        "Timeline": _lines([_step(job, index) for index in range(len(job.timeline))]),
    }
    body = "\n\n".join(f"## {title}\n{text}" for title, text in sections.items())
    return f"# Run Report\n\nJob {job.id}: {escape_markdown(job.inputs.goal)}\n\n{body}\n"


def _query(search: SearchRecord) -> str:
    outcome = "no answer" if not search.outcome else f"{search.outcome} {search.reason}".strip()
    found = count(search.results, "result")
    return f"{search.n}. “{escape_markdown(search.query)}”: {found} ({escape_markdown(outcome)})"


def _quality(job: Job, report: Report) -> str:
    """The scores of the best attempt, why, and what the analyst says of all findings."""
    found, analysis = report.quality, job.assessed.analysis
    if found.relevance is None:
        return "(not evaluated)"
    lines = [
        f"- Final query: {escape_markdown(found.query or '') or NONE_YET}",
        f"- Relevance {found.relevance:.1f}, confidence {found.confidence:.1f}, coverage {found.coverage:.1f}, "
        f"in {found.attempts} {'attempt' if found.attempts == 1 else 'attempts'}",
        *(f"- {escape_markdown(reason)}" for reason in found.reasons),
    ]
    if analysis:
        lines.append(f"- Analyst ({escape_markdown(analysis.by)}): {escape_markdown(analysis.assessment)}")
        lines += [
            f"- Inconsistent: “{escape_markdown(one.one)}” ({address(one.one_url)}) and “{escape_markdown(one.other)}” "
            f"({address(one.other_url)})"
            for one in analysis.inconsistencies_found or []
        ]
        lines += [f"- Lead: {escape_markdown(lead.text)} ({address(lead.url)})" for lead in analysis.leads]
    return "\n".join(lines)


def _attempt(attempt: Attempt, report: Report) -> str:
    """An attempt with its queries, its scores, and the providers that refused it."""
    queries = "; ".join(f"“{escape_markdown(query)}”" for query in attempt.queries)
    rated = attempt.evaluation
    scores = (
        f"relevance {rated.relevance:.1f}, confidence {rated.confidence:.1f}, coverage {rated.coverage:.1f} "
        f"({escape_markdown(attempt.by)})"
        if rated
        else "not evaluated"
    )
    refused = f"; refused by {escape_markdown('; '.join(attempt.refused))}" if attempt.refused else ""
    expected = (
        f"; expected on {escape_markdown(', '.join(attempt.expected_domains))}"
        if attempt.expected_domains
        else ""
    )
    best = ", the best" if queries and report.quality.query in attempt.queries and rated else ""
    return f"{attempt.n}. {queries}: {scores}{best}{refused}{expected}. {escape_markdown(attempt.why)}"


def _ending(job: Job) -> str:
    plan, translate = job.plan, messages_of(job.inputs)
    if plan.forced:
        return translate("how_forced", why=forced_line(plan.forced, translate))
    return translate("how_decided", why=escape_markdown(plan.done_reason) or translate("no_reason"))


def _sources(report: Report) -> str:
    """How credible each source is, with the parts of its credibility, and from how many hosts they all are."""
    if not report.sources:
        return "(none)"
    weights = ", ".join(f"{weight} × {_part_name(part)}" for part, weight in PART_WEIGHTS.items())
    lines = [f"Credibility = {weights}; each part is from 0 to 1.", ""]
    for source in report.sources:
        parts = source.credibility_parts.model_dump() if source.credibility_parts else {}
        told = ", ".join(f"{_part_name(name)} {value:.1f}" for name, value in parts.items())
        lines.append(f"{source.n}. {source.credibility or 0:.2f}: {told} – {address(source.url)}")
    seen = report.diversity
    if seen.share is not None:
        verdict = "enough" if seen.is_enough else "too few"
        lines += [
            "",
            f"Diversity: {seen.hosts} hosts among {seen.sources} different sources, {seen.share:.2f}; "
            f"{LEAST_SITE_SHARE} is wanted: {verdict}.",
        ]
    return "\n".join(lines)


def _part_name(part: str) -> str:
    return "HTTPS" if part == "https" else part.replace("_", " ")


def _failed_providers(job: Job) -> list[str]:
    lines = []
    for search in job.searches:
        for provider in search.providers:
            if not provider.ok:
                status = f"status {provider.status}" if provider.status else "no status"
                reason = escape_markdown(provider.reason.text) or "failed"
                lines.append(f"- {provider.provider}: {reason} ({status}) {address(provider.url)}")
    return list(dict.fromkeys(line.rstrip() for line in lines))


def _page(visit: VisitRecord) -> str:
    outcome = f"{visit.outcome or 'no answer'} {visit.reason}".strip()
    findings = (
        f", {count(visit.findings, 'finding')}, relevance {visit.relevance:.1f}"
        if visit.outcome == "ok"
        else ""
    )
    store = ", from the store" if visit.from_store else ""
    uncounted = "" if visit.counted else ", not counted"
    told = f"{escape_markdown(outcome)}{findings}{store}{uncounted}"
    return f"{visit.n}. {address(visit.final_url or visit.url)} ({told})"


def _vendors(phase2: Phase2) -> list[str]:
    """The searches for vendors, and every vendor with its outcome."""
    lookups = [
        f"- searched “{escape_markdown(one.query)}”: {count(one.results, 'result')} "
        f"({one.outcome or 'no answer'}{escape_markdown(f' {one.reason}')})"
        for one in phase2.lookups
    ]
    return lookups + [
        f"- {one.host} ({one.origin}): {one.stage.replace('_', ' ')}, {one.found} offers"
        + (f", {escape_markdown(one.reason.text)}" if one.reason else "")
        for one in phase2.vendors
    ]


def _used(job: Job, report: Report) -> str:
    used, limits = report.metrics, job.limits
    phase1 = report.phase1.elapsed_seconds if report.phase1 else 0.0
    phase2 = f" and {report.phase2.elapsed_seconds:.1f} s in phase 2" if report.phase2 else ""
    return "\n".join(
        [
            f"- Searches: {used.searches} of {limits.max_searches}",
            f"- Web calls: {report.run.web_calls}",
            f"- Pages visited: {used.pages_visited} ({job.plan.visits_used} of {limits.max_visits} counted)",
            f"- Pages fetched: {used.pages_fetched}",
            f"- Model calls: {used.model_calls} ({job.usage.failed_answers} failed answers)",
            f"- Tokens: {used.prompt_tokens} in, {used.completion_tokens} out",
            *(f"- Tokens of the {line}" for line in token_lines(job)),
            f"- Money: {used.usd:.4f} USD for models",
            f"- Time: {used.seconds:.1f} s of work and {used.waited_seconds:.1f} s of waiting (together {phase1:.1f} s "
            f"in phase 1{phase2})",
        ]
    )


def _step(job: Job, index: int) -> str:
    entry = job.timeline[index]
    after_s = max(0.0, (entry.at_ms - (job.plan.started_ms or entry.at_ms)) / 1000)
    by = f" ({escape_markdown(entry.by)})" if entry.by else ""
    return f"- {after_s:.1f} s, decision {entry.iteration}, {entry.action}: {timeline_text(entry)}{by}"


def _lines(lines: list[str]) -> str:
    return "\n".join(lines) or "(none)"
