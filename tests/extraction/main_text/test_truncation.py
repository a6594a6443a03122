from hypothesis import given
from hypothesis import strategies as st

from research_crawler.extraction.page import looks_cut, read_page

YEARS = range(1800, 1840)
SENTENCES = [
    f"In year {year} the valley had {year - 1700} mills, and every mill had a miller."
    for year in range(1800, 1840)
]


def page(shown: int, declared: str) -> str:
    paragraphs = "".join(f"<p>{' '.join(SENTENCES[start : start + 4])}</p>" for start in range(0, shown, 4))
    return (
        f'<html><head><script type="application/ld+json">{{"@type": "NewsArticle", {declared}}}</script>'
        f"</head><body><article><h1>The mills of the valley</h1>{paragraphs}</article></body></html>"
    )


def truncated(markup: str) -> object:
    read = read_page(
        markup.encode(), url="https://www.example.com/news/mills", headers={"content-type": "text/html"}
    )
    return read.metadata.get("truncated")


def test_a_page_that_shows_a_third_of_its_declared_words_is_suspected_to_be_cut():
    assert truncated(page(12, '"wordCount": 520')) == "suspected"
    assert truncated(page(12, '"wordCount": "1,520"')) == "suspected"
    assert truncated(page(12, f'"articleBody": "{" ".join(SENTENCES)}"')) == "suspected"


def test_a_page_that_shows_what_it_declares_is_not_suspected():
    assert truncated(page(40, '"wordCount": 520')) is None
    assert truncated(page(40, f'"articleBody": "{" ".join(SENTENCES)}"')) is None
    assert truncated(page(40, '"wordCount": "unknown"')) is None


NODES = st.dictionaries(
    st.sampled_from(["wordCount", "articleBody"]),
    st.none() | st.integers() | st.text() | st.lists(st.text()),
)


@given(NODES)
def test_no_declaration_is_an_error(node):
    assert looks_cut("A short text.", [node]) in (True, False)
