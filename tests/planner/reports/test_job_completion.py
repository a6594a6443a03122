"""A report without a model is called an answer only where something speaks for it."""

import pytest

from planner.brains.extractive.extractive_brain import ExtractiveBrain
from planner.reports.job_completion import JobCompletion
from research_crawler.core.models.jobs.records import VisitRecord
from tests.planner.scripted import NOW, a_finding, a_job

PAGE = "https://a.example/1"
FACT = "To undo the last commit in git: git reset --hard HEAD~1"


@pytest.mark.parametrize(
    ("goal", "outcome", "code"),
    [
        ("undo the last commit in git", "answered", 0),
        ("undo the last commit in git but keep the changes", "partly", 0),
        ("Which cheese goes well with a dry Riesling?", "insufficient", 3),
    ],
)
async def test_excerpts_answer_a_question_in_part_or_not_at_all_if_they_are_not_near_enough(
    goal, outcome, code, embedder, call
):
    read = VisitRecord(n=1, command="jobaaaaaaaaa:1", url=PAGE, round=1, outcome="ok")
    job = a_job(goal).changed(state="synthesizing", visits=[read])
    job = job.changed(plan=job.plan.changed(finished_ms=NOW, pages_read=1))
    brain = ExtractiveBrain(embedder)
    completion = JobCompletion(job, [a_finding("jobaaaaaaaaa:1", FACT, url=PAGE)], clock_ms=lambda: NOW)
    await completion.write(brain, brain, call)
    assert completion.complete_job().outcome == outcome
    assert (completion.report.outcome, completion.report.exit_code) == (outcome, code)
    text = completion.report.report_markdown
    if outcome == "partly":
        assert text.index("Low certainty") < text.index("To undo the last commit")
    assert text.rstrip().endswith("It was put together by rules, without a language model.")
