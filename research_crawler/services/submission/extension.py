"""Makes a finished report longer: its own sub-questions, and new ones below them, as the outline of a new job."""

from collections.abc import Sequence

from planner.outline.given_outline import given_outline
from planner.outline.making import MAX_SECTION_TITLE
from research_crawler.core.errors import JobNotOver, UsageError
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.jobs.job import FINAL_STATES, Job
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import find_job


async def extended_question(runtime: Runtime, job_id: str, questions: Sequence[str]) -> JobQuestion:
    """The goal of a finished job with an outline that has further sub-questions, each a section of its own.

    What the job has found fills its own sub-questions; only the new ones are searched for.

    Raises:
        UnknownJob: no job has this id.
        JobNotOver: it is not over.
        UsageError: it looked for offers, or a question is empty.
        OutlineError: the outline would have too many questions.
    """
    earlier = await find_job(runtime, job_id)
    if earlier.state not in FINAL_STATES:
        raise JobNotOver(earlier.id)
    if earlier.inputs.intent == "commerce":
        raise UsageError(f"job {earlier.id} looked for offers; `research ask {earlier.id} …` asks about them")
    outline = _extended(earlier, [" ".join(question.split()) for question in questions])
    given_outline(outline, earlier.inputs.goal)
    return JobQuestion(goal=earlier.inputs.goal, outline=outline)


def _extended(earlier: Job, questions: Sequence[str]) -> str:
    """The outline as headings and bullets of Markdown."""
    if not all(questions):
        raise UsageError("a question is empty")
    own = [
        (section.title, [leaf.question for leaf in section.leaves]) for section in earlier.outline.sections
    ]
    new = [(question[:MAX_SECTION_TITLE], [question]) for question in questions]
    return "\n".join(
        line
        for title, bullets in [*own, *new]
        for line in (f"# {title}", *(f"- {bullet}" for bullet in bullets))
    )
