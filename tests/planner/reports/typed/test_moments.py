import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.reports.typed.moments import moment_of

FRIDAY = "2026-11-20"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The line was opened on 3 March 2019 by the mayor.", "2019-03-03"),
        ("Officials reported a third case on Nov. 16, in a man of 55.", "2026-11-16"),
        ("The two met on Dec. 28 in Geneva.", "2026-12-28"),
        ("The two met on March 3 in Geneva.", "2026-03-03"),
        ("The government on Monday extended the licence.", "2026-11-16"),
        ("The service launched Friday morning.", "2026-11-20"),
        ("He resigned yesterday after the vote.", "2026-11-19"),
        ("Die Regierung hat am Montag die Lizenz verlängert.", "2026-11-16"),
        ("Le ministre a démissionné hier soir.", "2026-11-19"),
        ("The ship sank three days ago off the coast.", "2026-11-17"),
        ("Tariffs rose to 25% in May 2026.", "2026-05"),
    ],
)
def test_the_day_of_an_event_is_read_by_the_day_of_its_page(text, day):
    moment = moment_of(text, FRIDAY)
    assert moment is not None
    assert moment.iso == day


@pytest.mark.parametrize(
    "text",
    [
        "Shops are open on Black Friday.",
        "The market is held every Monday.",
        "The council will vote on Monday.",
        "Plague is caused by bacteria.",
        "He writes for the Sunday Times.",
    ],
)
def test_what_names_no_day_that_has_been_has_no_moment(text):
    assert moment_of(text, FRIDAY) is None


def test_without_the_day_of_the_page_only_a_whole_date_is_one():
    assert moment_of("He resigned yesterday.", "") is None
    assert moment_of("Officials reported it on Nov. 16.", "") is None
    assert moment_of("It opened on 3 March 2019.", "") is not None


@pytest.mark.parametrize("published", ["0001-01-01", "9999-12-31"])
def test_a_page_from_the_end_of_the_calendar_is_read_too(published):
    for text in ("It closed yesterday.", "It closed on 5 November.", "It closed on Monday.", "six days ago"):
        moment_of(text, published)


@given(st.text(max_size=80), st.sampled_from(["", FRIDAY, "2026", "nonsense", "2026-02-29"]))
def test_any_text_is_read(text, published):
    moment_of(text, published)


def test_a_day_that_is_announced_is_ahead_of_its_page():
    assert moment_of("On 12 December the sleeping cars will roll again.", "2026-09-11").iso == "2026-12-12"
    assert moment_of("On 3 February the line will reopen.", "2026-11-14").iso == "2027-02-03"
    assert moment_of("On 12 December the sleeping cars rolled again.", "2026-09-11").iso == "2025-12-12"
