from planner.job.factory import make_job
from planner.job.goal_reading import with_reading
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits


def read(job, intent=None, type_=None):
    return with_reading(job, intent, type_, now_ms=5, by="model")


def test_a_model_turns_a_goal_without_signs_into_a_search_for_offers():
    job = make_job(JobInputs(goal="Ersatzakku fürs alte Fahrrad", language="de"), Limits())
    new = read(job, "commerce", "technical")
    assert (job.strategy, new.strategy) == ("phase1_only", "phase1_and_phase2")
    assert (new.inputs.intent, new.inputs.type, new.inputs.currency) == ("commerce", "general", "EUR")
    assert (new.timeline[-1].action, new.timeline[-1].by) == ("intent", "model")
    assert "commerce in DE, EUR" in new.timeline[-1].text


def test_a_model_takes_back_what_only_looked_like_shopping():
    job = make_job(JobInputs(goal="cheap talk in game theory"), Limits())
    new = read(job, "informational", "general")
    assert (job.strategy, new.strategy) == ("phase1_and_phase2", "phase1_only")


def test_a_model_changes_nothing_that_the_caller_gave():
    given = JobInputs(
        goal="game theory", intent="informational", intent_given=True, type="news", type_given=True
    )
    job = make_job(given, Limits())
    assert read(job, "commerce", "technical") is job
    forced = make_job(JobInputs(goal="game theory", strategy="phase1_only"), Limits())
    assert read(forced, "commerce").strategy == "phase1_only"


def test_a_model_that_reads_the_same_adds_no_line():
    job = make_job(JobInputs(goal="how do heat pumps work"), Limits())
    assert read(job, "informational", "general") is job
    assert read(job) is job
