import unicodedata
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.engines.provider_queries import (
    cleaned_query,
    covering_period,
    first_day,
    ignored_period,
    language_parts,
)
from tests.cases import each_case

TEXT = st.text(st.one_of(st.characters(), st.sampled_from(' "!\\\n\t')), max_size=80)


@given(TEXT, st.integers(1, 60), st.one_of(st.none(), st.integers(4, 60)))
def test_a_query_fits_and_has_no_control_characters(query, chars, most_bytes):
    cleaned = cleaned_query(query, max_chars=chars, max_bytes=most_bytes)
    assert len(cleaned) <= chars and (most_bytes is None or len(cleaned.encode()) <= most_bytes)
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in cleaned)
    assert cleaned == " ".join(cleaned.split())


@each_case(
    ("query", "cleaned"),
    [
        ("  how do\nbees\x00 make\thoney ", "how do bees make honey"),
        ("one two three four five", "one two three four"),
        ("antidisestablishmentarianism", "antidisestablishment"),
        ('see "honey of bees and more"', "see honey of bees"),
        ("!g honey", "g honey"),
        ("honey w! now!", "honey w now"),
        ("\\honey a!=b", "honey a!=b"),
        ("!!!", ""),
        ("蜂蜜" * 20, "蜂蜜" * 10),
    ],
)
def test_queries_are_cleaned_and_cut_at_a_word(query, cleaned):
    assert cleaned_query(query, max_chars=20) == cleaned or cleaned_query(query, max_chars=24) == cleaned


def test_a_cut_by_bytes_never_splits_a_character():
    assert cleaned_query("蜂蜜" * 20, max_chars=300, max_bytes=10) == "蜂蜜蜂"


@each_case(
    ("date_restrict", "period", "exact"),
    [
        ("", "", True), ("d1", "day", True), ("w1", "week", True), ("d7", "week", True),
        ("d8", "month", False),
        ("m1", "month", True), ("m6", "year", False), ("y1", "year", True), ("d365", "year", True),
        ("y2", "", False), ("d0", "", False), ("7d", "", False), ("year", "", False),
    ],
)  # fmt: skip
def test_a_date_restriction_becomes_the_shortest_period_that_covers_it(date_restrict, period, exact):
    assert covering_period(date_restrict)[0] == period
    assert (ignored_period(date_restrict) == []) is (covering_period(date_restrict)[1])
    assert covering_period(date_restrict)[1] is exact


@each_case(
    ("tag", "parts"),
    [
        ("de", ("de", "")), ("DE-ch", ("de", "ch")), ("pt_BR", ("pt", "br")), ("zh-Hant-TW", ("zh", "tw")),
        ("deu", ("deu", "")), ("", ("", "")), ("english", ("", "")), ("e", ("", "")), ("de-", ("", "")),
    ],
)  # fmt: skip
def test_a_language_tag_is_taken_apart(tag, parts):
    assert language_parts(tag) == parts


@each_case(
    ("restrict", "day"),
    [
        ("d1", date(2026, 3, 30)),
        ("w2", date(2026, 3, 17)),
        ("m1", date(2026, 2, 28)),
        ("m4", date(2025, 11, 30)),
        ("y2", date(2024, 3, 31)),
        ("", None),
        ("d0", None),
        ("y9999", None),
        ("d99999", None),
        ("today", None),
    ],
)
def test_a_period_begins_on_a_day_of_the_calendar(restrict, day):
    assert first_day(restrict, date(2026, 3, 31)) == day


@given(st.sampled_from("dwmy"), st.integers(1, 9999), st.dates())
def test_no_period_ends_in_an_error_or_begins_in_the_future(unit, count, today):
    day = first_day(f"{unit}{count}", today)
    assert day is None or day < today


def test_words_are_counted_where_a_provider_counts_them():
    assert cleaned_query("one two three", max_chars=99, max_words=3) == "one two three"
    assert cleaned_query('one "two three" four', max_chars=99, max_words=2) == "one two"
