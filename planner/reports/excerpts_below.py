"""What pages say, word for word, below the report of a model that writes little.

Small models quote one or two sentences of a page and write as many. The pages that they have found say more, and code
shows it as it does without a model.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from planner.evidence.length_plan import report_words
from planner.job.commands import job_context_of
from research_crawler.core.models.evidence.findings import Extraction, Finding
from research_crawler.core.models.jobs.caller_question import Depth
from research_crawler.core.models.jobs.decisions import PageView
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.drafts import DraftSection, ReportDraft
from research_crawler.core.models.web.pages import PageText, Passage, StoredPage

VerifyQuotes = Callable[[Extraction, StoredPage, str, str], list[Finding]]
"""Makes findings of what was quoted from a stored page, for a command and a goal."""

EXCERPTS_ID: Final = "excerpts"
"""The section of the excerpts."""
MOST_EXCERPTED_PAGES: Final = 3
"""Pages of which there are excerpts: those of which the model took most."""
MOST_PAGE_CHARS: Final = 400_000
"""A longer page is not read again where the report is written."""
WORDS: Final[dict[Depth, int]] = {"quick": 130, "standard": 540, "deep": 1_000}
"""Most words of report and excerpts, as a report without a model has."""
LEAST_WORDS: Final = 60
"""With room for fewer words, there are none."""


def room_for_excerpts(draft: ReportDraft, job: Job) -> int:
    """How many words of excerpts there is room for below a report; 0: none are wanted."""
    is_plain = job.inputs.intent == "informational" and not draft.not_found
    if not (draft.is_brief and draft.answer and is_plain):
        return 0
    room = (job.inputs.max_words or WORDS[job.inputs.depth]) - report_words(draft)
    return room if room >= LEAST_WORDS else 0


def pages_taken_from(findings: Sequence[Finding]) -> dict[str, str]:
    """The hashes of the pages of which most was taken, each with the command that read it."""
    taken = Counter(one.page_sha256 for one in findings if one.page_sha256 and not one.is_snippet)
    commands = {one.page_sha256: one.command for one in findings}
    return {sha: commands[sha] for sha, _ in taken.most_common(MOST_EXCERPTED_PAGES)}


def is_left_without_quotes(job: Job, findings: Sequence[Finding]) -> bool:
    """Whether a model that gave answers of no use has taken nothing from the pages that it read."""
    is_plain = job.inputs.intent == "informational" and bool(job.plan.fallback)
    return is_plain and all(one.is_snippet for one in findings)


def nearest_pages_read(job: Job) -> dict[str, str]:
    """The hashes of the pages that a reader held to be nearest, each with the command that read it."""
    read = sorted(
        (one for one in job.visits if one.outcome == "ok" and one.sha), key=lambda one: -one.relevance
    )
    return {one.sha: one.command for one in read[:MOST_EXCERPTED_PAGES]}


def page_view_of(stored: StoredPage, job: Job) -> PageView:
    """A stored page as an extractor reads it: the whole of it."""
    page = stored.page
    return PageView(
        url=stored.final_url,
        title=page.title,
        published=page.published,
        markdown=page.markdown,
        passages=_posts_of(page),
        job_context=job_context_of(job),
        nosnippet=page.nosnippet,
    )


def _posts_of(page: PageText) -> list[Passage]:
    """The first post of a thread and its replies; nothing of another page."""
    at, end = page.replies_start, len(page.markdown)
    if not at:
        return []
    opening = Passage(start=0, end=at, text="", tokens=0, is_opening=True)
    return [opening, Passage(start=at, end=end, text="", tokens=0)]


def excerpt_command(command: str) -> str:
    """The command under which the excerpts of a page are counted that another one has read."""
    return f"{command}:{EXCERPTS_ID}"


def with_excerpts(draft: ReportDraft, excerpts: ReportDraft, added: Sequence[int], title: str) -> ReportDraft:
    """The draft with those sentences of a report without a model that show what was added.

    Args:
        draft: a model's.
        excerpts: what the brain without a model has written of all findings.
        added: the places of the findings that the model has not taken.
        title: of the section.
    """
    shown = [one for one in excerpts.answer if one.is_excerpt and set(one.evidence) <= set(added)]
    if excerpts.not_found or not shown:
        return draft
    section = DraftSection(id=EXCERPTS_ID, title=title, sentences=shown)
    return draft.changed(sections=[*draft.sections, section])
