"""Render research_state.md: the job's record as a document for brains and people."""

from collections.abc import Iterable, Sequence

from planner.job.allowances import decisions_made, is_round_open
from planner.job.findings import claims_of
from research_crawler.core.models.evidence.findings import Finding, FindingKind
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.jobs.outline import Leaf, Outline
from research_crawler.core.models.jobs.records import ScoredResult, VisitRecord
from research_crawler.text.writing.markdown import address, escape_block, escape_markdown

NONE_YET = "(none yet)"
SUMMARY: tuple[tuple[str, tuple[FindingKind, ...]], ...] = (
    ("What to Look For", ("spec_to_look_for", "recommendation")),
    ("Price Expectations", ("price_expectation",)),
    ("Recommended Models", ("recommended_product",)),
    ("User Warnings", ("warning",)),
)
MAX_RESULTS_SHOWN = 30
"""Most search results in research_state.md."""
MAX_CLAIM = 300
"""Longest claim in research_state.md."""


def state_document(job: Job, findings: Sequence[Finding]) -> str:
    """The document of a job at its current step; the sections and their order are fixed."""
    inputs = job.inputs
    sections = [
        ("Goal (User's Original Query)", escape_block(inputs.goal)),
        ("Context (From Session)", escape_block(inputs.context)),
        ("Prior Turn Context", escape_block(inputs.prior_turn_context)),
        ("Topic", escape_block(inputs.topic)),
        ("Task", escape_block(inputs.task)),
        ("Intent", inputs.intent),
        ("Search Results", _results(job.results)),
        ("Visited Pages", _pages(job.visits, findings)),
        ("Intelligence Summary", _summary(findings)),
        ("Status", document_status(job)),
        ("Iteration", f"{current_iteration(job)} / {job.limits.max_iterations}"),
    ]
    if job.strategy_reason:
        sections.append(("Strategy", f"{job.strategy}: {escape_markdown(job.strategy_reason)}"))
    if job.outline.sections:
        sections.append(("Outline", _outline(job.outline)))
    body = "\n\n".join(f"## {title}\n{text or NONE_YET}" for title, text in sections)
    return f"# Research State\n\n{body}\n"


def document_status(job: Job) -> str:
    """in_progress; sufficient when the research has ended and the report is not written yet; then how it ended."""
    if job.state in ("failed", "cancelled"):
        return job.state
    if job.state in FINAL_STATES:
        return "done"
    has_report = job.review.question is not None and job.review.question.kind == "review"
    return "sufficient" if job.state == "synthesizing" or has_report else "in_progress"


def current_iteration(job: Job) -> int:
    """Number of the decision that is being made, or of the last one while its round is open."""
    is_deciding = job.state in ("pending", "planning", "executing") and not is_round_open(job)
    least = 0 if job.state in FINAL_STATES else 1
    return max(least, min(decisions_made(job) + is_deciding, job.limits.max_iterations))


def _results(results: Sequence[ScoredResult]) -> str:
    lines = []
    for index, result in enumerate(results[:MAX_RESULTS_SHOWN], 1):
        label = f"{result.type}, {result.priority}, {result.score:.1f}" if result.scored else "not scored yet"
        lines.append(
            f"{index}. {escape_markdown(result.title) or '(no title)'} – {address(result.url)} ({label})"
        )
    if len(results) > MAX_RESULTS_SHOWN:
        lines.append(f"… and {len(results) - MAX_RESULTS_SHOWN} more")
    return "\n".join(lines)


def _pages(visits: Sequence[VisitRecord], findings: Sequence[Finding]) -> str:
    read = [visit for visit in visits if visit.outcome == "ok"]
    pages = []
    for number, visit in enumerate(read, 1):
        claims = (f.claim for f in findings if f.command == visit.command)
        pages.append(
            f"### Page {number}: {address(visit.final_url or visit.url)}{_section(visit)}\n"
            f"**Visited:** {visit.fetched_at or '(unknown)'}\n"
            f"**Findings:**\n{_bullets(claims)}"
        )
    return "\n\n".join(pages)


def _section(visit: VisitRecord) -> str:
    return f" (section “{escape_markdown(visit.section)}”)" if visit.section else ""


def _summary(findings: Sequence[Finding]) -> str:
    return "\n\n".join(f"### {title}\n{_bullets(claims_of(findings, kinds))}" for title, kinds in SUMMARY)


def _outline(outline: Outline) -> str:
    """Each section with its sub-questions: whether they are answered, by how many findings, or how they are sought."""
    blocks = []
    for section in outline.sections:
        lines = [f"- {leaf.id} {escape_markdown(leaf.question)} ({_state(leaf)})" for leaf in section.leaves]
        blocks.append("\n".join([f"### {section.id} {escape_markdown(section.title)}", *lines]))
    return "\n\n".join(blocks)


def _state(leaf: Leaf) -> str:
    if leaf.state == "filled":
        return f"filled: {len(leaf.evidence)} finding{'s' * (len(leaf.evidence) != 1)}"
    if leaf.state == "unavailable":
        return f"not to be had: {escape_markdown(leaf.reason)}"
    return f"open: search “{escape_markdown(leaf.query)}”" if leaf.query else "open"


def _bullets(lines: Iterable[str]) -> str:
    shown = [f"- {escape_markdown(line[:MAX_CLAIM])}" for line in lines]
    return "\n".join(shown) or NONE_YET
