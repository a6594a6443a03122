import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from research_crawler.extraction.evidence.quote_view import QuoteView
from research_crawler.extraction.evidence.quotes import QuoteFinder
from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_markdown
from tests.cases import each_case

PAGE = """# Kettles compared

The **Brewmaster 300** boils a litre in 2\u00a0minutes\u00a0— it isn’t loud[12]. See [the
test](https://x.example/a_(b)) for “details”.

- First item costs 30 Euro and is \ufb01ne
- Second item

| Model | Price |
| --- | --- |
| A1 | 20 |

Mar\u00adket\u200bing calls it a so\\_called miracle. Café owners dis\u00adagree with e\u0301lan.
"""


def found(quote: str, page: str = PAGE) -> str | None:
    place = QuoteFinder(page).find(quote)
    return page[slice(*place)] if place else None


@each_case(
    ("quote", "stored"),
    [
        (
            "boils a litre in 2 minutes - it isn't loud.",
            "boils a litre in 2\u00a0minutes\u00a0— it isn’t loud[12].",
        ),
        ('See the test for "details".', "See [the\ntest](https://x.example/a_(b)) for “details”."),
        ("First item costs 30 Euro and is fine", "First item costs 30 Euro and is \ufb01ne"),
        ("is fine Second item", "is \ufb01ne\n- Second item"),
        ("- First item costs 30 Euro", "First item costs 30 Euro"),
        ("Model Price A1 20", "Model | Price |\n| --- | --- |\n| A1 | 20"),
        ("## Kettles compared", "Kettles compared"),
        ("**Marketing** calls it", "Mar\u00adket\u200bing calls it"),
        ("a so_called miracle.", "a so\\_called miracle."),
        ("disagree with \u00e9lan.", "dis\u00adagree with e\u0301lan."),
        ('"boils a litre in 2 minutes..."', "boils a litre in 2\u00a0minutes"),
    ],
)
def test_typography_and_marks_do_not_matter(quote, stored):
    assert found(quote) == stored


@each_case(
    "quote",
    [
        "",
        "loud",
        "Second item",
        "Antidisestablishmentarianism",
        "The Brewmaster ... isn't loud",
        "boils a litre […] for details",
        "The kettle is the best one ever made",
        "the brewmaster 300 BOILS A LITRE",
        "x" * 5_000,
    ],
)
def test_a_quote_that_is_absent_too_short_or_joined_is_refused(quote):
    assert found(quote) is None


PINNED = """APT will never install an older version of a package (one with a lower number) except if its priority
is higher than 1000.

The default priority of a package is 500, and 990 for that of the target release."""


@pytest.mark.parametrize("dots", ["…", "...", "[…]"])
def test_of_a_quote_with_an_ellipsis_the_whole_passage_is_taken(dots):
    quote = f"APT will never install an older version {dots} if its priority is higher than 1000."
    assert found(quote, PINNED) == PINNED.partition("\n\n")[0].rstrip(".")


@pytest.mark.parametrize(
    "quote",
    [
        "its priority is higher than 1000 … APT will never install an older version",
        "APT will never install an older version … for that of the target release",
        "APT will never install an older version … except if",
        "APT will never install an older version … except if its score is higher",
    ],
    ids=["another order", "two paragraphs", "a part of two words", "a part that is not there"],
)
def test_parts_that_are_no_passage_of_a_paragraph_are_refused(quote):
    assert found(quote, PINNED) is None


def test_parts_that_stand_far_from_each_other_are_refused():
    page = f"The pump keeps a connection open {'and does much else ' * 40}for as long as five seconds."
    assert found("The pump keeps a connection open … for as long as five seconds", page) is None


def test_one_wrong_word_within_a_sentence_gives_the_stored_words():
    page = (
        "We tested it twice. The kettle boils one full litre of cold water in about two minutes. It is loud."
    )
    assert (
        found("The kettle boils one full litre of the cold water in about two minutes.", page) == page[20:87]
    )


def test_a_quote_with_a_wrong_number_is_refused():
    page = "The kettle boils one full litre of cold water in about 20 minutes at home."
    assert found("The kettle boils one full litre of cold water in about 30 minutes at home.", page) is None


def test_a_similar_quote_over_two_sentences_is_refused():
    page = "The kettle boils one full litre of cold water. It takes about twenty minutes at home."
    assert (
        found(
            "The kettle boils one full litre of the cold water. It takes about twenty minutes at home.", page
        )
        is None
    )


def test_a_match_at_word_boundaries_is_preferred():
    page = "A smart of the old kind, and the art of the old kind."
    place = QuoteFinder(page).find("art of the old")
    assert place == (page.index("the art") + 4, page.index("the art") + 18)


CURLY = str.maketrans({"'": "’", '"': "“", "-": "–", " ": "\u00a0"})
PLAIN = str.maketrans({"’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})
MANGLINGS = [
    lambda text: text,
    lambda text: text.translate(CURLY),
    lambda text: text.translate(PLAIN),
    lambda text: " ".join(text.split()),
    lambda text: text.replace(" ", " \n "),
    lambda text: text.replace("*", "").replace("`", ""),
    "\u00ad".join,
    lambda text: f"  {text}\n",
]
TEXT = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "word",
                "don’t",
                "“so”",
                "x-ray",
                "9–5",
                "it’s",
                "Straße",
                "café",
                "東京",
                "*bold*",
                "`code`",
                "a_b",
                " ",
                "\n\n",
                "\u00a0",
                ". ",
                ", ",
            ]
        ),
        st.text(alphabet="abcdeé’“”–— .,\u00a0\n'\"-ﬁ½Ǻ", min_size=1, max_size=8),
    ),
    min_size=4,
    max_size=40,
).map(" ".join)


@given(TEXT, st.data(), st.sampled_from(MANGLINGS))
def test_any_slice_is_found_again_after_typographic_changes(text, data, mangle):
    words = text.split(" ")
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    quote = " ".join(words[first:last])
    wanted = QuoteView(mangle(quote)).text.strip()
    assume(wanted == QuoteView(quote).text.strip())
    finder = QuoteFinder(text)
    place = finder.find(mangle(quote))
    if place is None:
        assert len(wanted) < 12 or len(re.findall(r"\w+", wanted)) < 2
    else:
        stored = QuoteView(text[slice(*place)]).text
        assert stored.strip(" '.") == wanted.strip(" '.")


@given(st.text())
def test_offsets_of_the_view_map_to_the_source(text):
    view = QuoteView(text)
    assert len(view.text) == len(view.starts) == len(view.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(view.starts, view.ends, strict=True))
    assert list(view.starts) == sorted(view.starts)
    assert "  " not in view.text


@given(st.text(max_size=60), st.text(max_size=60))
def test_finding_any_quote_in_any_text_never_raises(text, quote):
    place = QuoteFinder(text).find(quote)
    assert place is None or 0 <= place[0] < place[1] <= len(text)


@each_case(
    ("page", "quote", "found"),
    [
        (
            "Set `relayhost = [mail.example]` there.",
            "relayhost = [mail.example]",
            "relayhost = [mail.example]",
        ),
        ("Use [mail.example]:587 for it.", "[mail.example]:587 for it", "[mail.example]:587 for it"),
        (
            "Read [the long manual](http://a.test/) now.",
            "[the long manual](http://a.test/)",
            "the long manual",
        ),
        ("As told before [3] it opened in May.", "it opened in May", "it opened in May"),
    ],
)
def test_a_bracket_at_the_end_of_a_quote_stays_if_it_is_none_of_a_link(page, quote, found):
    start, end = QuoteFinder(page).find(quote)
    assert page[start:end] == found


LISTING = """Force it:

```
# All requests
RewriteCond "%{HTTPS}" !=on
RewriteRule "^(.*)" "https://%{SERVER_NAME}$1" [R=301,L]
run --delta \\
    --type=time \\
```

**Bold words here** follow.
"""


@each_case(
    ("quote", "found"),
    [
        ('# All requests\nRewriteCond "%{HTTPS}" !=on', '# All requests\nRewriteCond "%{HTTPS}" !=on'),
        (
            'RewriteRule "^(.*)" "https://%{SERVER_NAME}$1" [R=301,L]',
            'RewriteRule "^(.*)" "https://%{SERVER_NAME}$1" [R=301,L]',
        ),
        ("run --delta \\\n    --type=time \\", "run --delta \\\n    --type=time \\"),
        ("**Bold words here** follow.", "Bold words here** follow."),
    ],
)
def test_a_quote_of_a_listing_loses_no_character_at_its_ends(quote, found):
    start, end = QuoteFinder(LISTING).find(quote)
    assert LISTING[start:end] == found


@pytest.mark.parametrize(
    "page", ["Priorities:\n\n> 1000\n\nforces a downgrade", "Text.\n\n>= 3 nodes keep a quorum"]
)
def test_the_sign_of_a_comparison_at_the_beginning_of_a_line_is_no_mark_of_quoted_text(page):
    quote = page.split("\n\n", 1)[1]
    start, end = QuoteFinder(page).find(" ".join(quote.split()))
    assert page[start:end] == quote
    assert excerpt_markdown(quote).startswith(("\\>", "&gt;"))
