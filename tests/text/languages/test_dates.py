import time
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.languages.dates import agree, dates, states
from research_crawler.text.languages.language import LANGUAGES, language_of
from tests.cases import each_case


@given(st.text(alphabet="0123456789.,/- MayJunemaioftheder\n") | st.text(), st.sampled_from(LANGUAGES))
def test_dates_are_pieces_of_the_text_in_its_order(text, language):
    found = dates(text, language)
    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(agree(one, one) for one in found)


@each_case("language", LANGUAGES)
def test_every_name_of_a_month_makes_a_date(language):
    for name, number in language_of(language).months.items():
        (found,) = dates(f"3 {name.capitalize()} 2026", language)
        assert (found.year, found.month, found.day) == (2026, number, 3)


@each_case(
    ("text", "parts"),
    [
        ("on 2026-05-03", (2026, 5, 3)),
        ("on May 3, 2026", (2026, 5, 3)),
        ("on the 3rd of May 2026", (2026, 5, 3)),
        ("in May 2026", (2026, 5, None)),
        ("in 1998 it", (1998, None, None)),
        ("on 12 March", (None, 3, 12)),
    ],
)
def test_what_a_date_leaves_open_is_none(text, parts):
    (found,) = dates(text)
    assert (found.year, found.month, found.day) == parts


@each_case("text", ["1998 people", "may 5 people enter", "version 2.5.2020.1", "1,998", "$2000", "2000 %"])
def test_what_is_no_date_is_not_read_as_one(text):
    assert [one for one in dates(text) if one.text != "1998"] == []


@each_case(
    ("claim", "source", "is_stated", "do_agree"),
    [
        ("2026", "3 May 2026", True, True),
        ("3 May 2026", "2026", False, True),
        ("3 May 2026", "4 May 2026", False, False),
        ("4 March 2020", "3/4/2020", True, True),
        ("5 March 2020", "3/4/2020", False, False),
        ("2025", "2026", False, False),
    ],
)
def test_a_source_states_what_it_is_at_least_as_exact_about(claim, source, is_stated, do_agree):
    (one,), (other,) = dates(claim), dates(source)
    assert states(other, one) is is_stated
    assert agree(one, other) is agree(other, one) is do_agree


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)), st.sampled_from(LANGUAGES))
def test_every_numeric_spelling_of_a_day_states_that_day(day, language):
    y, m, d = day.year, day.month, day.day
    named, *spellings = (
        f"{y:04}-{m:02}-{d:02}",
        *(f"{y}-{m}-{d}", f"{y}/{m:02}/{d:02}", f"{y}/{m}/{d}"),
        *(f"{d}.{m}.{y}", f"{d:02}.{m:02}.{y}", f"{d}/{m}/{y}", f"{d}-{m}-{y}", f"{d:02}-{m:02}-{y}"),
    )
    (claim,) = dates(named)
    for spelling in spellings:
        (source,) = dates(f"on {spelling}, it", language)
        assert source.text == spelling
        assert states(source, claim)


@pytest.mark.parametrize("written", ["3-5-2020 ", "2020/05/03 ", "5 May 2020 "])
def test_a_line_of_a_hundred_thousand_dates_is_read_in_time_in_proportion_to_it(written):
    begun = time.process_time()
    assert len(dates(written * 100_000)) == 100_000
    assert time.process_time() - begun < 5  # it took minutes when the line was copied for each of them
