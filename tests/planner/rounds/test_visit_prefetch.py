"""Pages that are asked for as soon as they are found, while a model labels the results."""

import pytest

from planner.job.allowances import in_flight
from planner.rounds.visit_prefetch import MOST_PREFETCHED
from research_crawler.core.models.jobs.job_limits import Limits
from tests.planner.scripted import Drive, ScriptedBrain, a_job, done, found, read, search, start, visit

A, B, C, D, E = (f"https://{name}.example/how-heat-pumps-work" for name in "abcde")
OTHER = "https://f.example/cake"


def driven(*decisions, brain="model", limits=None):
    """A job that has searched, with all results found and the decision after them made."""
    job = a_job(limits=limits or Limits(max_searches=3, max_visits=15)).changed(brain=brain)
    drive = Drive(job, ScriptedBrain(search("heat pumps"), *decisions))
    drive.step(start(drive.job))
    return drive


def with_results(drive, *urls):
    event = found(drive.commands[0], *urls)
    results = [
        r.model_copy(update={"title": "How heat pumps work" if "heat" in r.url else "A cake"})
        for r in event.results
    ]
    drive.step(event.model_copy(update={"results": results}))
    return drive


def urls_of(drive):
    return [command.url for command in drive.commands if command.kind == "visit"]


def test_the_likeliest_page_is_asked_for_before_the_decision_and_labelled_with_it():
    drive = with_results(driven(visit(D)), OTHER, A, B, C, D, E)
    assert urls_of(drive) == [A, D]
    view = drive.brain.views[1]
    assert [c.result.url for c in view.candidates if c.is_asked_for] == [A]
    assert {r.url for r in view.to_label.results} == {OTHER, A, B, C, D, E}
    assert set(drive.job.plan.open_commands) == {command.id for command in drive.commands}


def test_a_round_waits_for_the_pages_that_were_asked_for_ahead():
    drive = with_results(driven(visit(OTHER, B), done()), A, B, OTHER)
    *first, last = drive.commands
    for command in first:
        drive.step(read(command, f"Fact of {command.url}"))
        assert len(drive.brain.views) == 2
    drive.step(read(last, "The last fact"))
    assert len(drive.brain.views) == 3
    assert drive.job.plan.barren_rounds == 0
    assert drive.job.plan.pages_read == 3


@pytest.mark.parametrize("decision", [visit(A), done()])
def test_a_decision_for_that_page_alone_waits_for_it(decision):
    drive = with_results(driven(decision, done()), A, B)
    assert urls_of(drive) == [A]
    assert drive.job.plan.open_commands == in_flight(drive.job)
    assert not drive.job.plan.repeats
    commands = list(drive.commands)
    for command in commands:
        drive.step(read(command, f"Fact of {command.url}"))
    assert drive.job.state == "synthesizing"


def test_pages_that_come_before_the_decision_is_carried_out_count_for_its_round():
    """Their events are in the mailbox when the decision is taken."""
    drive = driven(search("other words"), done())
    drive.brain.script.insert(0, search("heat pumps again"))
    with_results(drive, A)
    (ahead,) = [command for command in drive.commands if command.kind == "visit"]
    (again,) = [command for command in drive.commands if command.kind == "search"]
    drive.step(read(ahead, "A fact"), found(again))
    assert drive.job.plan.barren_rounds == 0


def test_without_a_model_nothing_is_asked_for_ahead():
    assert urls_of(with_results(driven(visit(D), brain="extractive"), A, B, C, D)) == [D]


def test_a_small_model_which_reads_slowly_is_given_no_page_that_it_did_not_choose():
    limits = Limits(max_searches=3, max_visits=15, page_tokens=800)
    assert urls_of(with_results(driven(visit(D), limits=limits), A, B, C, D)) == [D]


def test_only_a_part_of_the_pages_that_are_left_is_asked_for_ahead():
    assert urls_of(with_results(driven(done(), limits=Limits(max_visits=4)), A, B)) == [A]
    assert urls_of(with_results(driven(done(), limits=Limits(max_visits=3)), A, B)) == []
    assert len(urls_of(with_results(driven(done()), A, B, C, D, E))) == MOST_PREFETCHED


def test_no_page_that_is_about_something_else_is_asked_for_ahead():
    assert urls_of(with_results(driven(done()), OTHER, A, B)) == [A]
    assert urls_of(with_results(driven(done()), OTHER)) == []
