import datetime

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from planner.verify.dates import dates_of, unstated_dates


def lacking(text, source, *years):
    return [date.text for date in unstated_dates(dates_of(text)[0], dates_of(source)[0], years)]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("on 20 April 2018", "on April 20th, 2018"),
        ("in April 2018", "2018-04-20"),
        ("in 2018", "on 20.4.2018"),
        ("on 3/4/2020", "on 3 April 2020"),
        ("am 3. März 2011", "on March 3, 2011"),
    ],
)
def test_a_date_is_stated_in_another_form(text, source):
    assert lacking(text, source) == []


@pytest.mark.parametrize(
    ("text", "source"),
    [("on 20 April 2018", "on 21 April 2018"), ("in 2017", "in 2018"), ("on 1 March 2017", "in March 2017")],
)
def test_another_or_a_vaguer_date_does_not_state_it(text, source):
    assert len(lacking(text, source)) == 1


def test_a_day_without_a_year_is_of_the_year_in_which_the_page_was_published():
    assert lacking("on 20 April 2018", "on Friday, April 20") == ["20 April 2018"]
    assert lacking("on 20 April 2018", "on Friday, April 20", 2018) == []


def test_may_and_amounts_are_no_dates():
    assert dates_of("They may take 2,000 people, or $1999")[0] == []


@given(
    st.dates(datetime.date(1500, 1, 1), datetime.date(2099, 12, 31)),
    st.sampled_from(["en", "de", "fr", "it", "nl", "pl"]),
    st.sampled_from(["long", "medium"]),
)
def test_dates_are_read_as_each_language_writes_them(day, language, form):
    text = format_date(day, format=form, locale=language)
    found = [(date.year, date.month, date.day) for date in dates_of(text)[0]]
    assert (day.year, day.month, day.day) in found


@given(st.text(max_size=300))
def test_any_text_can_be_read(text):
    found, rest = dates_of(text)
    assert len(rest) == len(text)
    assert unstated_dates(found, found) == []
