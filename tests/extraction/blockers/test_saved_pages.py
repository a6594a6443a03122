"""Tests of the detection on blockers and ordinary pages that were saved from the real web."""

import pytest

from benchmarks.places import DATA
from benchmarks.reading.blockers import saved_blockers, saved_ordinary

pytestmark = pytest.mark.skipif(
    not (DATA / "blockers").is_dir(), reason=f"no saved pages in {DATA}; set RESEARCH_TEST_DATA"
)


@pytest.mark.parametrize("known", [True, False], ids=["known", "from nowhere"])
def test_every_real_challenge_and_nine_of_ten_login_pages_are_recognised(known):
    pages = [page for page in saved_blockers() if page.group in ("challenge", "login")]
    missed = [page for page in pages if not page.is_right(page.look(known=known))]
    assert [page.name for page in missed if page.group == "challenge"] == []
    assert len(missed) <= 0.1 * len([page for page in pages if page.group == "login"])


@pytest.mark.parametrize("with_text", [True, False], ids=["with its text", "without"])
def test_no_ordinary_page_is_taken_for_a_blocker(with_text):
    assert [
        page.name for page in saved_ordinary() if page.look(known=not with_text, with_text=with_text)
    ] == []


def test_made_up_pages_that_only_look_like_walls_are_not_blockers():
    wrong = [
        page.name for page in saved_blockers() if page.group == "made ordinary" and page.look(known=True)
    ]
    assert wrong == []
