from hypothesis import given
from hypothesis import strategies as st

from planner.quality.shorter_queries import shorter_query


def test_names_versions_and_quoted_phrases_stay_longest():
    query = 'please tell me why "connection reset by peer" appears with PostgreSQL 16.2 behind a load balancer at night'
    short = shorter_query(query, 50)
    assert '"connection reset by peer"' in short
    assert "PostgreSQL" in short
    assert len(short) <= 50


def test_a_query_that_is_short_enough_stays_as_it_is():
    assert shorter_query("heat pumps in winter", 40) == "heat pumps in winter"


@given(st.text(max_size=300), st.integers(10, 80))
def test_a_query_is_never_longer_than_allowed(query, most):
    assert len(shorter_query(query, most)) <= max(most, len(query) if len(query) <= most else most)
