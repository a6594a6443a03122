"""Say which timers a job needs. Pure."""

from planner.job.limits import FIRST_VENDOR_ROUND, is_round_open
from research_crawler.core.models.jobs.job import FINAL_STATES, Job


def timers_of(job: Job, now_ms: int) -> dict[tuple[str, int], int]:
    """The timers that a job needs now: {(kind, number): due time in ms}. They replace its earlier ones."""
    plan = job.plan
    if job.state in FINAL_STATES or job.state == "waiting_for_human":
        return {}
    if job.state == "synthesizing":
        return {("go", plan.iteration): now_ms}
    deadline = {("deadline", plan.epoch): plan.deadline_ms}
    if job.phase2 and is_round_open(job):
        return {("round", FIRST_VENDOR_ROUND + job.phase2.round): plan.round_until_ms, **deadline}
    if is_round_open(job):
        return {("round", plan.round): plan.round_until_ms, **deadline}
    return {("go", plan.iteration): now_ms, **deadline}
