import pytest

from planner.audit.series import MOST_OF_SERIES, is_of_one_series, others_first
from tests.planner.brains.views import finding


def bulletin(n):
    return finding(
        f"{n},000 people came.", f"http://a.test/bulletins/tram-{n}", title=f"Tram: bulletin of {n} May 2026"
    )


OTHERS = [
    finding(f"Fact {word}.", f"http://{word}.test/", title=f"On {word}") for word in ("cats", "dogs", "birds")
]


def test_the_rest_of_a_series_stands_behind_everything_else():
    kept, late = others_first([*map(bulletin, range(1, 9)), *OTHERS])
    assert kept == [*map(bulletin, range(1, 1 + MOST_OF_SERIES)), *OTHERS]
    assert late == [*map(bulletin, range(1 + MOST_OF_SERIES, 9))]


def test_where_hardly_anything_else_was_found_the_series_is_what_there_is_to_tell():
    found = [*map(bulletin, range(1, 9)), OTHERS[0]]
    assert others_first(found) == (found, [])


@pytest.mark.parametrize(
    ("url", "title", "is_one"),
    [
        ("http://a.test/bulletins/tram-9", "Tram: bulletin of 9 May 2025", True),
        ("http://b.test/bulletins/tram-9", "Tram: bulletin of 9 May 2025", False),
        ("http://a.test/bulletins/bus-9", "Bus: bulletin of 9 May 2025", False),
        ("http://a.test/bulletins/tram", "Tram: bulletins", False),
    ],
)
def test_pages_of_a_series_differ_in_numbers_and_dates_alone(url, title, is_one):
    assert is_of_one_series(bulletin(1), finding("x", url, title=title)) is is_one


def test_a_page_is_no_series_with_itself():
    assert not is_of_one_series(bulletin(1), bulletin(1))
