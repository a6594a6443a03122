import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.reports.typed.event_days import event_day_of
from tests.cases import each_case

FRIDAY = "2026-11-20"


@each_case(
    ("text", "day"),
    [
        ("The line was opened on 3 March 2019 by the mayor.", "2019-03-03"),
        ("Officials reported a third case on Nov. 16, in a man of 55.", "2026-11-16"),
        ("The two met on Dec. 28 in Geneva.", "2026-12-28"),
        ("Tariffs rose to 25% in May 2026.", "2026-05"),
    ],
)
def test_the_day_of_an_event_is_read_by_the_day_of_its_page(text, day):
    moment = event_day_of(text, FRIDAY)
    assert moment is not None
    assert moment.iso == day


def test_without_the_day_of_the_page_only_a_whole_date_is_one():
    assert event_day_of("He resigned yesterday.", "") is None
    assert event_day_of("Officials reported it on Nov. 16.", "") is None
    assert event_day_of("It opened on 3 March 2019.", "") is not None


@pytest.mark.parametrize("published", ["0001-01-01", "9999-12-31"])
def test_a_page_from_the_end_of_the_calendar_is_read_too(published):
    for text in ("It closed yesterday.", "It closed on 5 November.", "It closed on Monday.", "six days ago"):
        event_day_of(text, published)


@given(st.text(max_size=80), st.sampled_from(["", FRIDAY, "2026", "nonsense", "2026-02-29"]))
def test_any_text_is_read(text, published):
    event_day_of(text, published)


def test_a_date_without_a_year_is_the_one_nearest_to_its_page():
    assert event_day_of("On 12 December the sleeping cars will roll again.", "2026-09-11").iso == "2026-12-12"
    assert event_day_of("On 3 February the line will reopen.", "2026-11-14").iso == "2027-02-03"
    assert event_day_of("On 12 December the sleeping cars rolled again.", "2026-01-11").iso == "2025-12-12"
