"""What a model says without a quote brings no facts of its own into a report."""

import pytest

from planner.reports.checks.unsupported import drop_unsupported
from research_crawler.core.models.reports.drafts import ReportDraft, ReportView
from tests.planner.brains.views import finding, search, visit

VIEW = ReportView(
    goal="How heavy is the Kestrel K4?",
    language="en",
    findings=[finding("The Kestrel K4 weighs 9.5 kg and was built in Fenwick.")],
    searches=[search("Kestrel K4 weight", results=12)],
    visited=[visit("http://a.test/1", title="Scales of Marrowby")],
)


def kept(**parts):
    return drop_unsupported(ReportDraft(by="m", **parts), VIEW)


@pytest.mark.parametrize(
    "line",
    [
        "The price of the Kestrel K4 was not found.",
        "Whether the weight of 9.5 kg includes the handle",
        "What do other makers in Fenwick say?",
    ],
)
def test_lines_about_what_is_known_or_asked_stay(line):
    assert kept(unknown=[line], follow_ups=[line]).unknown == [line]
    assert kept(follow_ups=[line]).follow_ups == [line]


@pytest.mark.parametrize(
    "line",
    [
        "The Kestrel K4 weighs 950 kg.",
        "Does Napoleon Bonaparte say so at scales.example?",
        "It has been sold since 3 May 1998.",
    ],
)
def test_lines_with_numbers_dates_or_addresses_of_their_own_are_left_out(line):
    assert kept(unknown=[line], follow_ups=[line, "Is it loud?"]).unknown == []
    assert kept(follow_ups=[line, "Is it loud?"]).follow_ups == ["Is it loud?"]


def test_a_follow_up_may_ask_about_a_name_that_no_page_had():
    line = "How does it compare with the Osprey of Linton?"
    assert kept(unknown=[line], follow_ups=[line]).follow_ups == [line]
    assert kept(unknown=[line]).unknown == []


def test_a_certainty_loses_only_the_sentences_that_tell_facts_of_their_own():
    known = "Fairly certain: two pages of Marrowby say so."
    assert kept(certainty=f"{known} Napoleon Bonaparte weighed it in 1998.").certainty == known


def test_a_certainty_that_tells_facts_of_its_own_is_left_out():
    honest = "Fairly certain: two pages of Marrowby say so."
    assert kept(certainty=honest).certainty == honest
    assert not kept(certainty="Certain: Napoleon Bonaparte weighed it on 3 May 1998.").certainty
