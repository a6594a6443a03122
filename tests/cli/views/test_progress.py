from hypothesis import given
from hypothesis import strategies as st

from research_crawler.cli.views.progress import fitting_counts

COUNTS = ["findings 12", "pages 3/15", "searches 2/5", "tokens 12345", "round 3/10"]


@given(st.integers(0, 120))
def test_counts_are_shown_whole_or_not_at_all(columns):
    line = fitting_counts(COUNTS, columns)
    assert len(line) <= columns
    assert line.split(" · ") == COUNTS[: len(line.split(" · "))] or line == ""


def test_a_wide_terminal_shows_all_counts():
    assert fitting_counts(COUNTS, 100).endswith("round 3/10")
