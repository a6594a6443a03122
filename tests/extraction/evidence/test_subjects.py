import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.evidence.finding_verification import name_before

PAGE = "The Velmar Pocket is our choice. The Orrin is louder.\n\nOn our scales it came to 387 g. Later comes Kessa."
QUOTE = "On our scales it came to 387 g."
START = PAGE.index(QUOTE)


@pytest.mark.parametrize(
    ("claim", "subject"),
    [
        ("On the scales the Velmar Pocket came to 387 g.", "Velmar Pocket"),
        ("The Kessa came to 387 g.", "The"),
        ("It came to 387 g.", ""),
    ],
)
def test_a_quote_is_about_what_its_claim_names_and_the_page_has_before_it(claim, subject):
    assert name_before(claim, PAGE, START, START + len(QUOTE)) == subject


@given(st.text(max_size=200), st.text(max_size=200), st.integers(0, 200))
def test_every_word_of_a_subject_stands_in_claim_and_page(claim, page, start):
    for word in name_before(claim, page, min(start, len(page)), len(page)).split():
        assert word in claim
        assert word in page
