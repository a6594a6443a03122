"""The lists of lines that code fills, below the contradictions of a report: what is not known, what a reader asks next.

A new one is a function and an entry in CODE_FILLED_LISTS; `text/writing/messages.toml` has its heading by its key.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from planner.evidence.evidence_plan import open_questions
from planner.reports.warnings import same_words
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.cited_parts import KeyFinding
from research_crawler.core.models.reports.drafts import ReportDraft
from research_crawler.core.models.reports.report import Report
from research_crawler.text.writing.citation_marks import strip_citations
from research_crawler.text.writing.markdown import escape_with_code
from research_crawler.text.writing.messages import Messages

MOST_LINE: Final = 300
"""Longest line of a list below the contradictions."""


@dataclass(frozen=True, kw_only=True)
class CodeFilledList:
    """A list of lines in a report that code makes of the job's record or of the draft."""

    key: str
    """Of its heading; `--json` has it as `lists.<key>`."""
    lines: Callable[[Job, ReportDraft], Iterable[str]]
    """Its lines, from the job's record and from what a brain wrote."""
    omits_what_answer_says: bool = False
    """Whether a line is left out of report.md that the answer itself calls missing."""
    has_field: bool = False
    """Whether `--json` has it as a field of `Report` instead, which `report.py` fills."""

    def __post_init__(self) -> None:
        if (self.key in Report.model_fields) != self.has_field:
            raise ValueError(f"{self.key}: has_field must say whether Report has a field of this name")


def _not_known(job: Job, draft: ReportDraft) -> Iterable[str]:
    """What an audit of all evidence calls missing, else what was held to be missing, and the open sub-questions."""
    if draft.not_found:
        return []
    answered = answered_questions(draft)
    leaves = [
        leaf
        for leaf in job.outline.leaves
        if not (
            job.outline.has_unjudged_evidence(leaf) or any(same_words(leaf.question, one) for one in answered)
        )
    ]
    return [*(draft.unknown or job.plan.named_missing), *open_questions(leaves)]


CODE_FILLED_LISTS: Final = (
    CodeFilledList(key="not_known", lines=_not_known, omits_what_answer_says=True, has_field=True),
    CodeFilledList(key="follow_ups", lines=lambda _, draft: draft.follow_ups, has_field=True),
)
"""In the order of report.md."""


def code_filled_lists(job: Job, draft: ReportDraft, named: Sequence[str]) -> dict[str, list[str]]:
    """The lines of each list by its key; `named`: texts whose addresses may stand in them."""
    return {part.key: _cleaned(part.lines(job, draft), named) for part in CODE_FILLED_LISTS}


def lines_as_entries(lists: Mapping[str, Sequence[str]]) -> dict[str, list[KeyFinding]]:
    """The lists that `--json` has under `lists`; no line rests on evidence."""
    return {
        part.key: [KeyFinding(text=line) for line in lists[part.key]]
        for part in CODE_FILLED_LISTS
        if not part.has_field
    }


def lists_markdown(
    lists: Mapping[str, Sequence[str]], translate: Messages, *, already_said: Sequence[str]
) -> list[str]:
    """The lists that have lines, each under its heading; `already_said` is what the answer calls missing already."""
    shown = {
        part.key: [
            line
            for line in lists.get(part.key, ())
            if not (part.omits_what_answer_says and any(same_words(line, other) for other in already_said))
        ]
        for part in CODE_FILLED_LISTS
    }
    return [
        f"## {translate(key)}\n\n" + "\n".join(f"- {escape_with_code(line)}" for line in lines)
        for key, lines in shown.items()
        if lines
    ]


def _cleaned(texts: Iterable[str], named: Sequence[str]) -> list[str]:
    cleaned = (strip_citations(text, named)[:MOST_LINE] for text in texts)
    return list(dict.fromkeys(text for text in cleaned if text))


def answered_questions(draft: ReportDraft) -> list[str]:
    """The sub-questions that the answer or a written section states, without those that the audit calls open."""
    return [
        *draft.answered,
        *(
            question
            for section in draft.sections
            if section.sentences or section.table
            for question in section.sub_questions
            if not any(same_words(question, item) for item in draft.unknown)
        ),
    ]


def without_answered(job: Job, draft: ReportDraft, translate: Messages) -> Job:
    """The job without what the research held to be missing and the report has, in its list and its warning."""
    answered = answered_questions(draft)
    missing = job.plan.missing
    left = [item for item in missing if not any(same_words(item, question) for question in answered)]
    if left == missing:
        return job
    before, after = (translate("not_found_items", items="; ".join(items)) for items in (missing, left))
    warnings = [
        after if same_words(one, before) else one
        for one in job.warnings
        if left or not same_words(one, before)
    ]
    return job.changed(plan=job.plan.changed(missing=left), warnings=warnings)
