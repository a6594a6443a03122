"""What a goal asks, as a model reads it in its first answer: it may correct what the wording alone did not show."""

from planner.job.factory import for_a_buyer
from planner.job.strategy import choose_strategy, reading_line
from research_crawler.core.models.intent import Intent
from research_crawler.core.models.jobs.caller_question import ResearchType
from research_crawler.core.models.jobs.job import Job, JobInputs


def may_change_intent(inputs: JobInputs) -> bool:
    """Whether the caller has left open if offers are wanted: no option says so."""
    return not (inputs.intent_given or inputs.strategy or inputs.from_job or inputs.about_job)


def with_reading(job: Job, intent: Intent | None, type_: ResearchType | None, *, now_ms: int, by: str) -> Job:
    """The job with the intent and type that a brain reads in its goal, as far as the caller gave none.

    With another intent its strategy is chosen anew, and a job that looks for offers gets the buyer's country.
    """
    inputs = job.inputs
    if intent and intent != inputs.intent and may_change_intent(inputs):
        inputs = for_a_buyer(inputs.changed(intent=intent))
    if type_ and not inputs.type_given:
        inputs = inputs.changed(type="general" if inputs.intent == "commerce" else type_)
    if inputs == job.inputs:
        return job
    strategy, reason = job.strategy, job.strategy_reason
    if inputs.intent != job.inputs.intent:
        choice = choose_strategy(inputs)
        strategy, reason = choice.strategy, choice.reason
    line = reading_line(inputs, reason, now_ms, by)
    return job.changed(
        inputs=inputs, strategy=strategy, strategy_reason=reason, timeline=[*job.timeline, line]
    )
