"""Completes the inputs of a follow-up question with what the job that it is about was asked and has answered.

Findings and pages of the earlier job are taken over by the planner (`planner/job/earlier/memory.py`, `of_job`).
"""

from research_crawler.core.errors import JobNotOver
from research_crawler.core.models.base import with_values_of
from research_crawler.core.models.jobs.job import FINAL_STATES, JobInputs
from research_crawler.core.models.reports.report import Report
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_lookup import find_job, report_of

MAX_EARLIER_ANSWER_CHARS = 4_000


async def follow_up_inputs(runtime: Runtime, inputs: JobInputs) -> JobInputs:
    """Complete the inputs of a follow-up question: what is empty is taken from the job that it is about.

    The earlier question is the conversation before this one, its answer is context, and its goal is the topic, so that
    "and on Debian?" is about the same thing. The planner adds the earlier findings, and reads the earlier pages again.

    Raises:
        UnknownJob: no job has this id.
        JobNotOver: it is not over.
    """
    earlier = await find_job(runtime, inputs.about_job)
    if earlier.state not in FINAL_STATES:
        raise JobNotOver(earlier.id)
    report = await report_of(runtime, earlier.id)
    names = ("region", "currency", "topic")
    completed = with_values_of(inputs, earlier.inputs, [name for name in names if not getattr(inputs, name)])
    before = earlier.inputs.prior_turn_context
    return completed.changed(
        topic=completed.topic or earlier.inputs.goal[:400],
        prior_turn_context="\n".join(filter(None, (before, earlier.inputs.goal, inputs.prior_turn_context))),
        context="\n\n".join(filter(None, (_answered(report), inputs.context))),
    )


def _answered(report: Report | None) -> str:
    """The question and answer of the earlier job, without citation marks, which mean nothing in another report."""
    if report is None:
        return ""
    answer = " ".join(claim.text for claim in report.claims)[:MAX_EARLIER_ANSWER_CHARS]
    return f"Earlier question: {report.goal}\nIts answer: {answer}" if answer else ""
