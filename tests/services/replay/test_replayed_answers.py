"""A replay of a reviewed job gives the person's answers again."""

from research_crawler.core.models.people.reviews import OpenQuestion, Remark
from research_crawler.services.replay.replay import RecordedAnswers, inputs_before_review
from tests.planner.scripted import a_job

ASKED = OpenQuestion(no=1, kind="review", text="Is this the answer that you wanted?")


def reviewed(*remarks, **record):
    job = a_job(urls=["https://named.example/page", "https://first.example/"])
    return job.changed(review=job.review.changed(remarks=list(remarks), **record))


def test_answers_come_in_their_order_and_then_what_there_is_is_accepted():
    job = reviewed(
        Remark(kind="accept"),
        Remark(kind="reject_source", text="shop.example"),
        Remark(kind="reject_finding"),
        Remark(kind="append", of="constraint", text="only quiet ones"),
        rejected_sources=["shop.example"],
        rejected_findings=["id-1"],
    )
    answers = RecordedAnswers(job)
    given = [answers.next(ASKED) for _ in range(4)]
    assert [one.kind for one in given] == ["reject_source", "reject_finding", "append", "accept"]
    assert (given[0].source, given[1].findings, given[2].of) == ("shop.example", ["id-1"], "constraint")


def test_a_page_that_the_person_named_later_is_not_there_from_the_beginning():
    inputs = inputs_before_review(
        reviewed(Remark(kind="append", of="url", text="https://named.example/page"))
    )
    assert (inputs.urls, inputs.review) == (["https://first.example/"], "always")
    assert inputs_before_review(reviewed()).review == "never"
