"""Ask for the likeliest page of a search at once, while a model still labels its results and decides. Pure."""

from typing import Final

from planner.goal.goal_subject import asked_of
from planner.job.allowances import is_host_wanted, is_open_for_visit, visits_left
from planner.job.commands import RoundPlan
from planner.job.job_editor import JobEditor
from planner.job.results import unlabelled_results
from planner.rounds.opening import record_visits
from research_crawler.core.config import LEAST_FOR_SECTIONS
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.web.urls import slot_of
from research_crawler.text.languages.language import detect
from research_crawler.text.languages.words import terms
from research_crawler.text.measures.likeness import word_coverage
from research_crawler.text.questions.subject import subject_of
from research_crawler.text.source_types import source_type

MOST_PREFETCHED: Final = 1
"""Each page that is read by itself is a call of its own; of seven that a careful reader saw, five were of no use."""
SHARE_PREFETCHED: Final = 4
"""At most one in so many of the pages that are left: the model chooses the others."""
LEAST_OVERLAP: Final = 0.75
"""Least share of the question's words in a title and snippet for which a page is asked for without a label."""


def prefetch_visits(job: Job, now_ms: int) -> RoundPlan:
    """The job with visits of those new results that a model would choose too; they belong to the next round."""
    editor = JobEditor(job, now_ms)
    urls = likely_pages(job)[: min(MOST_PREFETCHED, visits_left(job) // SHARE_PREFETCHED)]
    if not urls:
        return RoundPlan(job)
    commands = record_visits(editor, urls)
    editor.note("beside", f"{' '.join(urls)} – asked for while the results are labelled")
    return RoundPlan(editor.finish_step(), tuple(commands))


def likely_pages(job: Job) -> list[str]:
    """The new results whose title and snippet have the question's names and half of its words, one a host."""
    if job.brain == "extractive" or job.limits.page_tokens < LEAST_FOR_SECTIONS:
        return []  # labels without a model take no time; a small model reads pages more slowly than it labels them
    inputs = job.inputs
    asked = f"{asked_of(inputs)} {inputs.task}"
    language = detect(asked)
    wanted = terms(asked, language)
    subject = subject_of(inputs.goal, inputs.task, inputs.topic, language=language)
    taken = {slot_of(visit.url) for visit in job.visits if not visit.outcome}
    urls = []
    for result in unlabelled_results(job.results):
        text = _text(result)
        is_likely = (
            word_coverage(wanted, text, language) >= LEAST_OVERLAP
            and subject.share(text) == 1.0
            and not (subject.is_neighbour(result.title) or subject.is_neighbour(text))
            and source_type(result.url, result.title, result.snippet) != "vendor"
        )
        if is_likely and slot_of(result.url) not in taken and _may_visit(job, result.url):
            taken.add(slot_of(result.url))
            urls.append(result.url)
    return urls


def _text(result: SearchResult) -> str:
    return f"{result.title}. {result.snippet}"


def _may_visit(job: Job, url: str) -> bool:
    return is_host_wanted(job, url) and is_open_for_visit(job, url)
