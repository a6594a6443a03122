"""A replay finds the recorded event of each command, or knows that there is none."""

from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.messages.commands import Command, VisitCommand
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.services.replay.recorded_node import RecordedEvents
from tests.planner.scripted import a_job

READ, LEFT = "http://read.example/", "http://left.example/"


def visiting(url: str, n: int) -> Command:
    return VisitCommand(id=f"j:{n}", job="j", url=url, slot="host.example", page_key="h")


def test_a_page_that_was_on_its_way_when_the_job_ended_is_told_from_one_that_was_never_asked_for():
    visits = [VisitRecord(command=f"j:{n}", url=url, n=n, round=0) for n, url in enumerate((READ, LEFT))]
    events = RecordedEvents(a_job().changed(visits=visits), [CommandDone(uid="1", job="j", command="j:0")])
    assert events.find(visiting(READ, 7)).event.command == "j:7"
    assert events.find(visiting(LEFT, 1)) is None
    asked_again = [events.is_unanswered(visiting(url, n)) for url, n in ((READ, 0), (LEFT, 1), (LEFT, 7))]
    assert asked_again == [False, True, True]
    assert not events.is_unanswered(visiting("http://never.example/", 1))
