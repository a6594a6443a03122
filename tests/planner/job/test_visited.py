"""A job does not visit a page twice, however many pages it has read."""

from hypothesis import given
from hypothesis import strategies as st

from planner.job.allowances import candidates, is_open_for_visit
from planner.job.job_editor import JobEditor
from planner.reports.phase1_result import read_urls
from planner.reports.writer_view import report_view
from research_crawler.core.models.jobs.records import ScoredResult, VisitRecord
from tests.planner.scripted import NOW, a_finding, a_job


def read(n: int, *, final_url: str = "", outcome: str = "ok") -> VisitRecord:
    """A visit with a record of the usual length."""
    return VisitRecord(
        n=n,
        command=f"jobaaaaaaaaa:{n}",
        url=f"https://host-{n}.example/a/page/with/a/long/path/{n}",
        round=n,
        outcome=outcome,
        final_url=final_url,
        title="A page about the question " * 2,
        summary="What it says. " * 15,
        sha="0" * 64,
    )


def job_with(visits, **changes):
    editor = JobEditor(a_job(), NOW)
    for visit in visits:  # as a job grows: one commit after another
        editor.set(visits=[*editor.job.visits, visit])
        editor.finish_step()
    return editor.job.model_copy(update=changes)


@given(st.integers(1, 120))
def test_a_page_is_not_visited_again_when_its_record_was_dropped(count):
    visits = [read(n) for n in range(1, count + 1)]
    job = job_with(visits)
    assert not [visit.url for visit in visits if is_open_for_visit(job, visit.url)]
    assert is_open_for_visit(job, "https://host-1.example/another")


def test_the_address_to_which_a_page_redirected_is_known_after_its_record_was_cut():
    visits = [read(n, final_url=f"https://moved-{n}.example/") for n in range(1, 101)]
    job = job_with(visits)
    assert len(job.visits) < len(visits)
    shown = [ScoredResult(url=f"https://www.moved-{n}.example", score=0.9) for n in range(1, 101)]
    assert not candidates(job.model_copy(update={"results": shown}))


def test_a_page_whose_host_was_busy_may_be_visited_later_after_its_record_was_dropped():
    visits = [read(1, outcome="busy"), *(read(n) for n in range(2, 101))]
    job = job_with(visits)
    assert job.visits[0].n > 1
    assert is_open_for_visit(job, visits[0].url)


def test_reports_count_the_pages_whose_records_were_dropped():
    visits = [read(n) for n in range(1, 101)]
    job = job_with(visits)
    job = job.model_copy(update={"plan": job.plan.changed(pages_read=100)})
    finding = a_finding(visits[0].command, "It says so.", url=visits[0].url)
    assert visits[0].url not in {visit.url for visit in job.visits}
    assert visits[0].url in read_urls(job, [finding])
    assert report_view(job, [finding]).pages_read == 100
