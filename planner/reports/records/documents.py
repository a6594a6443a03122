"""Render the documents of a running job from its record."""

import json
from collections.abc import Sequence
from typing import Any

from planner.goal.intent import priorities
from planner.goal.report_language import messages_of
from planner.job.allowances import decisions_made, searches_left, visits_left
from planner.job.clock import work_and_waiting_s
from planner.job.earlier.prior_intelligence import callers_section
from planner.reports.records.meta_document import meta_document
from planner.reports.records.state_document import NONE_YET, state_document
from research_crawler.core.models.evidence.findings import ENTRY_FIELDS, Finding
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import TimelineEntry, VisitRecord
from research_crawler.text.writing.markdown import address, escape_block, escape_markdown
from research_crawler.text.writing.messages import Messages


def documents(job: Job, findings: Sequence[Finding]) -> dict[str, str]:
    """All documents of a running job: {file name: text}."""
    return {
        "context.md": context_document(job, findings),
        "research_state.md": state_document(job, findings),
        "research_plan.md": plan_document(job, findings),
        "scored_results.json": scored_results(job),
        "page_findings.json": page_findings(job, findings),
        "research-meta.json": meta_document(job),
    }


def context_document(job: Job, findings: Sequence[Finding] = ()) -> str:
    """context.md: the query with its earlier conversation, prior intelligence, and the caller's task and context.

    It is in the language of the goal. Days stay ISO dates, because §2 may be read again (`prior_intelligence.py`).
    """
    inputs, translate = job.inputs, messages_of(job.inputs)
    none = translate("none_yet")
    prior = earlier_findings(job, findings)
    section, context = callers_section(inputs.context)
    known = "\n".join(
        f"- {translate(f'kind_{f.kind}')}: {escape_markdown(f.claim)} ({address(f.url)}, {f.fetched_at[:10]})"
        for f in prior
    )
    return (
        f"# {translate('context')}\n\n"
        f"## §1 {translate('query')}\n"
        f"**{translate('query')}:** {escape_block(inputs.goal)}\n\n"
        f"**{translate('prior_turn')}:** {escape_block(inputs.prior_turn_context) or none}\n\n"
        f"**{translate('topic')}:** {escape_block(inputs.topic) or none}\n\n"
        f"## §2 {translate('prior_intelligence')}\n"
        f"{_section(section, known, translate) or none}\n\n"
        f"## §3 {translate('from_caller')}\n"
        f"**{translate('task')}:** {escape_block(inputs.task) or none}\n\n"
        f"{escape_block(context) or none}\n"
        f"{_from_reviewer(job, translate)}"
    )


def _from_reviewer(job: Job, translate: Messages) -> str:
    """§4: what a person has said in reviews; "" if nobody has."""
    remarks = [
        f"- {remark.kind.replace('_', ' ')}{f' ({translate.word(remark.of)})' if remark.kind == 'append' else ''}: "
        f"{escape_block(remark.text)}"
        for remark in job.review.remarks
        if remark.text
    ]
    return f"\n## §4 {translate('from_reviewer')}\n" + "\n".join(remarks) + "\n" if remarks else ""


def _section(from_caller: str, known: str, translate: Messages) -> str:
    """§2: what the caller brought, then what earlier jobs found."""
    brought = f"**{translate('callers_context')}:**\n\n{escape_block(from_caller)}" if from_caller else ""
    found = f"**{translate('earlier_jobs')}:**\n\n{known}" if known and brought else known
    return "\n\n".join(part for part in (brought, found) if part)


def earlier_findings(job: Job, findings: Sequence[Finding]) -> list[Finding]:
    """The findings that come from other jobs."""
    return [finding for finding in findings if not finding.command.startswith(f"{job.id}:")]


def plan_document(job: Job, findings: Sequence[Finding] = ()) -> str:
    """research_plan.md: the strategy with its reason, the allowances, and every decision with its reason."""
    limits, plan, begun = job.limits, job.plan, job.plan.review_round_start
    decisions = [
        f"{entry.iteration}. **{entry.action}** {timeline_text(entry)}"
        + (f" ({escape_markdown(entry.by)})" if entry.by else "")
        for entry in job.timeline
        if entry.action
        in ("search", "visit", "beside", "section", "wait", "done", "forced", "stuck", "review")
    ]
    missing = "\n".join(f"- {escape_markdown(item)}" for item in [*plan.missing, *plan.named_missing])
    worked_s, waited_s = work_and_waiting_s(job, plan.touched_ms)
    return (
        "# Research Plan\n\n"
        f"## Strategy\n{job.strategy}: {escape_markdown(job.strategy_reason) or 'no reason recorded'}\n\n"
        f"{_known(job, findings)}"
        f"## Priorities\n{escape_markdown(', '.join(priorities(job.inputs.goal))) or '(none in the goal)'}\n\n"
        "## Allowance\n"
        f"- Searches: {plan.searches_used - begun.searches_used} of {limits.max_searches} used, "
        f"{searches_left(job)} left\n"
        f"- Pages: {plan.visits_used - begun.visits_used} of {limits.max_visits} used, {visits_left(job)} left\n"
        f"- Decisions: {decisions_made(job)} of {limits.max_iterations}\n"
        f"- Time: {worked_s:.1f} of {limits.timeout_seconds:g} s of work used, and {waited_s:.1f} s of waiting\n\n"
        f"## Decisions\n{chr(10).join(decisions) or NONE_YET}\n\n"
        f"## Missing\n{missing or NONE_YET}\n"
        f"{_vendors(job)}"
    )


def _known(job: Job, findings: Sequence[Finding]) -> str:
    """The earlier findings on which the strategy is based, if there are any."""
    prior = earlier_findings(job, findings)
    if not prior:
        return ""
    lines = "\n".join(f"- {f.id} {f.kind}: {escape_markdown(f.claim)} ({address(f.url)})" for f in prior)
    return f"## Known From Before\n{lines}\n\n"


def _vendors(job: Job) -> str:
    """Phase 2: the vendors with what they are searched for and their outcomes."""
    if job.phase2 is None:
        return ""
    lines = [
        f"- {vendor.host} ({vendor.origin}): {vendor.stage.replace('_', ' ')}"
        + (f", {vendor.found} offers" if vendor.found else "")
        + (f", {escape_markdown(vendor.reason.text)}" if vendor.reason else "")
        for vendor in job.phase2.vendors
    ]
    terms = ", ".join(f"“{escape_markdown(term)}”" for term in job.phase2.terms)
    return (
        f"\n## Vendors\nWanted: {job.inputs.vendors} vendors, region {escape_markdown(job.inputs.region) or '(any)'}, "
        f"currency {escape_markdown(job.inputs.currency) or '(any)'}\n\nSearched for: {terms or NONE_YET}\n\n"
        f"{chr(10).join(lines) or NONE_YET}\n"
    )


def scored_results(job: Job) -> str:
    """scored_results.json: an array of results, best first, with the scorer's fields."""
    rows = [
        {
            "url": result.url,
            "title": result.title,
            "score": result.score,
            "type": result.type,
            "priority": result.priority,
            "snippet": result.snippet,
            "published": result.published,
            "providers": result.providers,
        }
        for result in job.results
        if result.scored
    ]
    return _json(rows)


def page_findings(job: Job, findings: Sequence[Finding]) -> str:
    """page_findings.json: an array with one object per page read, with the extractor's fields for the intent."""
    return _json([_page(job.inputs.intent, visit, findings) for visit in job.visits if visit.outcome == "ok"])


def timeline_text(entry: TimelineEntry) -> str:
    """An entry of the timeline; of a visit, the requested URLs are code's own and stay usable."""
    before, mark, reason = entry.text.partition(" – ")
    if entry.action not in ("visit", "beside"):
        return escape_markdown(entry.text)
    return f"{' '.join(map(address, before.split()))}{mark}{escape_markdown(reason)}"


def _page(intent: Intent, visit: VisitRecord, findings: Sequence[Finding]) -> dict[str, Any]:
    own = [finding for finding in findings if finding.command == visit.command]
    entries = {
        name: [
            {"claim": f.claim, "quote": f.quote, "start": f.start, "end": f.end}
            for f in own
            if f.kind == kind
        ]
        for name, kind in (ENTRY_FIELDS["informational"] | ENTRY_FIELDS["commerce"]).items()
    }
    return {
        "url": visit.final_url or visit.url,
        "title": visit.title,
        "page_sha256": visit.sha,
        "fetched_at": visit.fetched_at,
        "relevance": visit.relevance,
        "confidence": visit.confidence,
        "summary": visit.summary,
        "by": visit.by,
        **{name: rows for name, rows in entries.items() if rows or name in ENTRY_FIELDS[intent]},
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
