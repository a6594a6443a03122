import re

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.html.finish import MOST_REPEATS, finished
from research_crawler.extraction.page import read_page
from tests.attacks.pumping import search, slow_string
from tests.cases import each_case

URL = "https://a.example/"


@given(st.text(alphabet="ab.\n é", max_size=40))
def test_text_without_long_runs_stays_as_it_is(text):
    assert finished(text) == text


@given(st.lists(st.tuples(st.sampled_from("ab.\n "), st.integers(1, 3 * MOST_REPEATS)), max_size=6))
def test_every_longer_run_is_cut_and_nothing_else(runs):
    merged = re.sub(r"(.)\1*", lambda run: run[0][:MOST_REPEATS], "".join(c * n for c, n in runs), flags=re.S)
    assert finished("".join(char * count for char, count in runs)) == merged


@each_case(
    ("body", "kind"),
    [
        (b"<p>word " + b"." * 5_000 + b" word</p>", "text/html"),
        (b"<p>word " + b"&#46;" * 5_000 + b" word</p>", "text/html"),
        (b"word " + b"." * 5_000 + b" word", "text/plain"),
        (
            b"<rss><channel><item><title>a</title><description>word "
            + b"." * 5_000
            + b" word</description></item>"
            b"</channel></rss>",
            "application/rss+xml",
        ),
    ],
)
def test_no_reader_passes_on_a_long_run(body, kind):
    page = read_page(body, url=URL, headers={"content-type": kind})
    for text in (page.markdown, page.text):
        assert "." * MOST_REPEATS in text
        assert "." * (MOST_REPEATS + 1) not in text


def test_cutting_takes_time_in_proportion_to_the_text():
    from research_crawler.extraction.html import finish

    assert slow_string(finish._RUN, search) is None


def test_characters_that_nobody_sees_are_left_out_and_joiners_stay():
    assert finished("1\u200b2\u20609 eu\u00adros \u202eback\u202c\ufeff") == "129 euros back"
    assert finished("می\u200cخواهم") == "می\u200cخواهم"
