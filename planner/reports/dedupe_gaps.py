"""What a report need not call missing, because one of its sections answers it."""

from planner.reports.warnings import same_words
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.reports.drafts import ReportDraft
from research_crawler.text.writing.messages import Messages


def answered_questions(draft: ReportDraft) -> list[str]:
    """The sub-questions that the answer or a written section states, without those that the audit calls open."""
    return [
        *draft.answered,
        *(
            question
            for section in draft.sections
            if section.sentences or section.table
            for question in section.questions
            if not any(same_words(question, item) for item in draft.unknown)
        ),
    ]


def without_answered(job: Job, draft: ReportDraft, say: Messages) -> Job:
    """The job without what the research held to be missing and the report has, in its list and its warning."""
    answered = answered_questions(draft)
    missing = job.plan.missing
    left = [item for item in missing if not any(same_words(item, question) for question in answered)]
    if left == missing:
        return job
    before, after = (say("not_found_items", items="; ".join(items)) for items in (missing, left))
    warnings = [
        after if same_words(one, before) else one
        for one in job.warnings
        if left or not same_words(one, before)
    ]
    return job.changed(plan=job.plan.changed(missing=left), warnings=warnings)
