"""Pages about a sibling of what is asked are told by their titles."""

import pytest

from planner.brains.extractive.answering.siblings import sibling_titles
from planner.brains.extractive.answering.write import write_answer
from research_crawler.core.models.reports.drafts import ReportView
from tests.planner.brains.views import finding, visit

TITLES = {
    "Orvelle 300: care and cleaning",
    "Orvelle 300 Grande: care and cleaning",
    "Orvelle 300 from the first day",
}


@pytest.mark.parametrize(
    ("question", "siblings"),
    [
        ("How do I clean the Orvelle 300?", {"Orvelle 300 Grande: care and cleaning"}),
        ("how do i clean the orvelle 300", {"Orvelle 300 Grande: care and cleaning"}),
        ("How do I clean the Orvelle 300 Grande?", set()),
        ("Which brush is best?", set()),
    ],
)
def test_a_title_with_more_words_behind_those_of_the_question_is_that_of_a_sibling(question, siblings):
    assert sibling_titles(question, TITLES) == siblings


def test_a_longer_title_alone_tells_no_sibling():
    assert (
        sibling_titles("How do I clean the Orvelle 300?", ["Orvelle 300 Grande: care and cleaning"]) == set()
    )


async def test_the_answer_begins_with_the_page_of_what_is_asked_and_names_it_as_most_useful(embedder):
    goal = "How much acid does the Orvelle 300 take when it is cleaned?"
    own, sibling = "http://a.test/300", "http://a.test/grande"
    findings = [
        finding(
            "Clean the Orvelle 300 Grande when it is cold: dissolve 65 g of acid in the tank, which takes the acid.",
            sibling,
            title="Orvelle 300 Grande: care and cleaning",
        ),
        finding("Dissolve 40 g of acid in one litre of water.", own, title="Orvelle 300: care and cleaning"),
    ]
    read = [visit(one.url, n, title=one.title, findings=1) for n, one in enumerate(findings, start=1)]
    draft = await write_answer(ReportView(goal=goal, findings=findings, visited=read), embedder)
    assert draft.answer[0].evidence == [1]
    assert "The most useful was “Orvelle 300: care and cleaning”" in draft.journey
