from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.markdown_blocks.markdown_blocks import MOST_BYLINE_CHARS, is_byline
from tests.cases import each_case


@each_case(
    "line",
    [
        "answered May 2, 2009 at 0:06",
        "Naturally_morbid August 31, 2023, 6:11pm 3",
        "Aug 08, 2006#1 2006-08-08T22:13+00:00",
        "posted 6 years ago",
        "jo · 3 days ago",
        "12.03.2021",
        "Max Muster, 3. Mai 2020, 14:05 Uhr",
    ],
)
def test_who_wrote_a_post_and_when_is_a_byline(line):
    assert is_byline(line)


@each_case(
    "line",
    [
        "Built in May 1871",
        "Release date: 3 May 2024",
        "The meeting is on May 3, 2024 at 6:11pm in the town hall",
        "Open 9:00 to 17:00",
        "Marathon record 2:00:35",
        "Weeks 5-7",
        "may contain nuts",
        "",
    ],
)
def test_a_fact_with_a_date_or_a_time_is_no_byline(line):
    assert not is_byline(line)


@given(st.text(max_size=120))
def test_no_line_without_a_digit_and_no_long_one_is_a_byline(line):
    if len(line) > MOST_BYLINE_CHARS or not any(char.isdigit() for char in line):
        assert not is_byline(line)
