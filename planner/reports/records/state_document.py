"""Render research_state.md: the job's record as a document for brains and people."""

from collections.abc import Iterable, Sequence

from planner.goal.report_language import messages_of
from planner.job.allowances import decisions_made, is_round_open
from planner.job.findings import claims_of
from research_crawler.core.models.evidence.findings import Finding, FindingKind
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.core.models.jobs.outline import Leaf, Outline
from research_crawler.core.models.jobs.records import ScoredResult, VisitRecord
from research_crawler.text.writing.markdown import address, escape_block, escape_markdown
from research_crawler.text.writing.messages import Messages

NONE_YET = "(none yet)"
SUMMARY: tuple[tuple[str, tuple[FindingKind, ...]], ...] = (
    ("state_specs", ("spec_to_look_for", "recommendation")),
    ("state_prices", ("price_expectation",)),
    ("state_models", ("recommended_product",)),
    ("state_warnings", ("warning",)),
)
MAX_RESULTS_SHOWN = 30
"""Most search results in research_state.md."""
MAX_CLAIM = 300
"""Longest claim in research_state.md."""


def state_document(job: Job, findings: Sequence[Finding]) -> str:
    """The document of a job at its current step, in the language of its goal; the sections and their order are
    fixed, and so are the words of intent, status and strategy, which programs read."""
    inputs, translate = job.inputs, messages_of(job.inputs)
    sections = [
        ("state_goal", escape_block(inputs.goal)),
        ("state_context", escape_block(inputs.context)),
        ("prior_turn", escape_block(inputs.prior_turn_context)),
        ("topic", escape_block(inputs.topic)),
        ("task", escape_block(inputs.task)),
        ("state_intent", inputs.intent),
        ("state_results", _results(job.results, translate)),
        ("state_pages", _pages(job.visits, findings, translate)),
        ("state_summary", _summary(findings, translate)),
        ("state_status", document_status(job)),
        ("state_iteration", f"{current_iteration(job)} / {job.limits.max_iterations}"),
    ]
    if job.strategy_reason:
        sections.append(("state_strategy", f"{job.strategy}: {escape_markdown(job.strategy_reason)}"))
    if job.outline.sections:
        sections.append(("state_outline", _outline(job.outline, translate)))
    body = "\n\n".join(f"## {translate(key)}\n{text or translate('none_yet')}" for key, text in sections)
    return f"# {translate('state_title')}\n\n{body}\n"


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


def _results(results: Sequence[ScoredResult], translate: Messages) -> str:
    lines = []
    for index, result in enumerate(results[:MAX_RESULTS_SHOWN], 1):
        label = (
            f"{result.type}, {result.priority}, {translate.number(result.score, decimals=1)}"
            if result.scored
            else translate("state_unscored")
        )
        title = escape_markdown(result.title) or translate("state_untitled")
        lines.append(f"{index}. {title} – {address(result.url)} ({label})")
    if len(results) > MAX_RESULTS_SHOWN:
        lines.append(translate("state_more", n=len(results) - MAX_RESULTS_SHOWN))
    return "\n".join(lines)


def _pages(visits: Sequence[VisitRecord], findings: Sequence[Finding], translate: Messages) -> str:
    read = [visit for visit in visits if visit.outcome == "ok"]
    pages = []
    for number, visit in enumerate(read, 1):
        claims = (f.claim for f in findings if f.command == visit.command)
        head = f"{translate('state_page', n=number)}: {address(visit.final_url or visit.url)}"
        pages.append(
            f"### {head}{_section(visit, translate)}\n"
            f"**{translate('state_visited')}:** {visit.fetched_at or translate('state_unknown')}\n"
            f"**{translate('state_findings')}:**\n{_bullets(claims, translate)}"
        )
    return "\n\n".join(pages)


def _section(visit: VisitRecord, translate: Messages) -> str:
    heading = translate("quoted", text=escape_markdown(visit.section))
    return f" {translate('state_section', heading=heading)}" if visit.section else ""


def _summary(findings: Sequence[Finding], translate: Messages) -> str:
    return "\n\n".join(
        f"### {translate(key)}\n{_bullets(claims_of(findings, kinds), translate)}" for key, kinds in SUMMARY
    )


def _outline(outline: Outline, translate: Messages) -> str:
    """Each section with its sub-questions: whether they are answered, by how many findings, or how they are sought."""
    blocks = []
    for section in outline.sections:
        lines = [
            f"- {leaf.id} {escape_markdown(leaf.question)} ({_state(leaf, translate)})"
            for leaf in section.leaves
        ]
        blocks.append("\n".join([f"### {section.id} {escape_markdown(section.title)}", *lines]))
    return "\n\n".join(blocks)


def _state(leaf: Leaf, translate: Messages) -> str:
    if leaf.state == "filled":
        return translate("state_filled", n=len(leaf.evidence))
    if leaf.state == "unavailable":
        return translate("state_unavailable", reason=escape_markdown(leaf.reason))
    query = translate("quoted", text=escape_markdown(leaf.query))
    return translate("state_open_search", query=query) if leaf.query else translate("state_open")


def _bullets(lines: Iterable[str], translate: Messages) -> str:
    shown = [f"- {escape_markdown(line[:MAX_CLAIM])}" for line in lines]
    return "\n".join(shown) or translate("none_yet")
