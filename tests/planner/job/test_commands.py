import pytest

from planner.job.commands import (
    MAX_CONTEXT_CHARS,
    MOST_KNOWN,
    job_context_of,
    search_command,
    shared_fields,
    telling_known,
    visit_command,
)
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.jobs.records import ScoredResult, SearchRecord
from research_crawler.core.models.messages.commands import JobContext, SearchCommand, SearchSpec
from research_crawler.core.models.web.target import NO_SLOT
from research_crawler.core.web.urls import frontier_target
from tests.planner.brains.views import finding
from tests.planner.scripted import NOW, a_job

PAGE = "https://www.shop.example/p"


def a_search(job: Job, number: int) -> SearchCommand:
    return search_command(job, number, SearchSpec(query="a mug"))


def test_a_command_is_numbered_in_its_job_and_belongs_to_the_next_round():
    job = a_job()
    command = a_search(job, 7)
    assert (command.id, command.job, command.round) == (f"{job.id}:7", job.id, job.plan.round + 1)


def test_a_command_for_a_page_has_its_hosts_slot_and_the_url_that_was_asked_for():
    command = visit_command(a_job(), 1, PAGE, NOW)
    assert command.target == frontier_target(PAGE)
    assert command.slot == "shop.example"
    assert command.url == command.requested_url == PAGE
    assert command.page_key == command.requested_page_key != ""


def test_a_page_is_read_with_the_query_that_found_it_and_those_beside_its_visit_in_view():
    job = a_job()
    asked = ["deferred queue lifetime", "mail relay", "backoff time"]
    rounds = [job.plan.round, job.plan.round, job.plan.round + 1]
    searches = [
        SearchRecord(n=n, command=f"j:{n}", query=query, round=round)
        for n, (query, round) in enumerate(zip(asked, rounds, strict=True), 1)
    ]
    job = job.changed(searches=searches, results=[ScoredResult(url=PAGE, search=1)])
    assert visit_command(job, 4, PAGE, NOW).job_context.query == "deferred queue lifetime backoff time"
    assert visit_command(job, 4, "https://other.example/", NOW).job_context.query == "backoff time"


def test_a_command_without_a_page_has_no_hosts_slot():
    command = a_search(a_job(), 1)
    assert (command.slot, command.target.url, command.target.page_key) == (NO_SLOT, "", "")


def test_commands_of_a_batch_come_after_those_of_a_single_job():
    alone, batch = a_search(a_job(), 1), a_search(a_job(batch=True), 1)
    assert batch.batch
    assert not alone.batch
    assert alone.priority < batch.priority


def test_the_fields_given_for_a_command_override_those_of_the_job():
    own = JobContext(goal="a mug", intent="commerce")
    fields = shared_fields(a_job(), 1, job_context=own, priority=6, round=1_001)
    assert (fields["job_context"], fields["priority"], fields["round"]) == (own, 6, 1_001)


def test_every_command_has_the_end_of_a_long_context():
    job_context = job_context_of(a_job(context="old " * 1_000 + "the last words"))
    assert job_context.context.endswith("the last words")
    assert len(job_context.context) == MAX_CONTEXT_CHARS


def test_a_command_for_a_page_tells_the_first_thing_that_each_earlier_page_has_said():
    job = a_job()
    findings = [
        *(finding(f"The first page says {n}.", "http://a.test/") for n in range(9)),
        finding("The second page names Ida Holm.", "http://b.test/"),
        finding("A snippet.", "http://c.test/").changed(is_snippet=True),
    ]
    page, asked = telling_known(job, [visit_command(job, 1, PAGE, NOW), a_search(job, 2)], findings)
    assert page.job_context.known[:2] == ["The second page names Ida Holm.", "The first page says 0."]
    assert len(page.job_context.known) == MOST_KNOWN
    assert asked.job_context.known == []


@pytest.mark.parametrize("asked", [{"depth": "deep"}, {"type": "news"}, {"intent": "commerce"}])
def test_a_reader_is_not_told_what_other_pages_said_where_that_decides_nothing(asked):
    job = a_job(**asked)
    (page,) = telling_known(
        job, [visit_command(job, 1, PAGE, NOW)], [finding("It is tall.", "http://a.test/")]
    )
    assert page.job_context.known == []
