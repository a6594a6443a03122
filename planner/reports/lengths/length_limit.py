"""Hold the length of a report, and say why one is shorter than it was to be."""

from collections.abc import Sequence
from typing import Final

from planner.evidence.length_plan import length_plan, report_words
from planner.reports.lengths.repeats import without_repeats
from planner.reports.lengths.trim import sentences_lost, trimmed
from planner.reports.writer_view import MAX_FINDINGS_WITH_MODEL
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.drafts import ReportDraft
from research_crawler.text.writing.messages import Messages

OVERLONG: Final = 1.5
"""A report of which nobody asked for a length may be so many times as long as its writer was asked for at most: a true
sentence is worth more than a length. A writer who does not end is cut."""
EXTRACTIVE_BRAIN: Final = "extractive"
"""The name of the brain without a model."""


def within_length(
    job: Job, known: Sequence[Finding], draft: ReportDraft, translate: Messages
) -> tuple[ReportDraft, str]:
    """The draft without what it says twice or is longer than asked, and what a reader is told of its length, if
    anything: that it was shortened, or why it is shorter.

    What the brain without a model writes has its own length, unless the caller asked for one.
    """
    inputs = job.inputs
    lengths = length_plan(
        known[:MAX_FINDINGS_WITH_MODEL],
        depth=inputs.depth,
        leaves=len(job.outline.leaves),
        max_words=inputs.max_words,
        is_outline_given=job.outline.is_given,
    )
    is_written = draft.by not in ("", EXTRACTIVE_BRAIN)
    draft = without_repeats(draft) if is_written else draft
    whole = draft
    most = lengths.most if lengths.is_asked else int(OVERLONG * lengths.most)
    if lengths.is_asked or is_written:
        draft = trimmed(draft, most)
    words = report_words(draft)
    if is_written and (cut := sentences_lost(whole, draft)):
        return draft, translate("fitted", n=cut, most=most)
    if not words or words >= lengths.least:
        return draft, ""
    key = "shorter" if lengths.carried < lengths.wanted else "shorter_written"
    return draft, translate(
        key, words=words, wanted=lengths.wanted, quotes=min(len(known), MAX_FINDINGS_WITH_MODEL)
    )
