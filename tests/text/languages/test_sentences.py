from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.web.pages import Passage
from research_crawler.text.languages.sentences import quotable_pieces, without_markdown
from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text
from tests.cases import each_case

PAGE = """# Velmar Pocket

We tried it for a year, e.g. in tents. It weighs 387 g and costs approx. 94 crowns! See [the shop](http://x.test/a).

## Figures

| What | How much |
|---|---|
| Weight | 387 g |

- folds **flat** against the body
1. Open the `idle_session_limit` file.

> Quoted words of a reader who travelled far.

```
code = is_not(quoted)
```
"""


def texts(markdown):
    return [piece.text for piece in quotable_pieces(markdown)]


def test_sentences_items_rows_and_quotations_are_found():
    assert texts(PAGE) == [
        "We tried it for a year, e.g. in tents.",
        "It weighs 387 g and costs approx. 94 crowns!",
        "See the shop.",
        "What | How much",
        "Weight | 387 g",
        "folds flat against the body",
        "Open the idle_session_limit file.",
        "Quoted words of a reader who travelled far.",
    ]


def test_every_piece_is_a_slice_of_the_page():
    for piece in quotable_pieces(PAGE):
        assert without_markdown(PAGE[piece.start : piece.end]) == piece.text


def test_pieces_know_their_heading_and_form():
    by_text = {piece.text: piece for piece in quotable_pieces(PAGE)}
    assert by_text["Weight | 387 g"].heading == "Figures"
    assert by_text["Weight | 387 g"].form == "row"
    assert by_text["folds flat against the body"].form == "item"


def test_a_sentence_that_needs_the_one_before_it_is_recognised():
    first, second = quotable_pieces(
        "The tower was built in 1871 by Brannock. It is 43 metres tall and white."
    )
    assert (first.leans, second.leans) == (False, True)
    assert first.block == second.block


def test_a_hard_wrapped_sentence_is_one_piece():
    assert texts("The tower was built in 1871\nby an engineer of the harbour.") == [
        "The tower was built in 1871 by an engineer of the harbour."
    ]


def test_only_the_given_passages_are_read():
    start = PAGE.index("## Figures")
    passage = Passage(start=start, end=len(PAGE), text=PAGE[start:], tokens=10, heading="Velmar > Figures")
    assert all(piece.start >= start for piece in quotable_pieces(PAGE, [passage]))


def test_a_line_that_begins_with_a_date_keeps_its_day():
    page = "3. Mai 2026: Das Museum öffnet wieder.\n\n3. Maisbrot backen und kalt stellen"
    assert [piece.text for piece in quotable_pieces(page, language="de")] == [
        "3. Mai 2026: Das Museum öffnet wieder.",
        "Maisbrot backen und kalt stellen",
    ]


def test_a_short_piece_is_joined_to_its_neighbour_and_never_dropped():
    assert texts("It opened on 3. Yes. Then it closed for the whole of the winter.") == [
        "It opened on 3. Yes.",
        "Then it closed for the whole of the winter.",
    ]
    assert texts("Founded: 1998") == ["Founded: 1998"]


@given(st.text(alphabet="aB3 .!?\n-", max_size=100))
def test_no_letter_of_a_page_is_lost(markdown):
    found = "".join(markdown[piece.start : piece.end] for piece in quotable_pieces(markdown))
    assert [c for c in found if c.isalpha()] == [c for c in markdown if c.isalpha()]


@given(st.text(alphabet=st.sampled_from("aB .!?|#->*_`\n[](){}1é。"), max_size=200))
def test_no_text_breaks_the_splitting(markdown):
    for piece in quotable_pieces(markdown):
        assert 0 <= piece.start < piece.end <= len(markdown)


def test_identifiers_keep_their_underscores():
    assert (
        without_markdown("set `idle_session_limit` and _really_ reload **now**")
        == "set idle_session_limit and really reload now"
    )


@each_case(
    ("markdown", "text"),
    [
        ("Put it into any `.htaccess` file.", "Put it into any .htaccess file."),
        ("It runs on .NET 8 and **.NET 9**.", "It runs on .NET 8 and .NET 9."),
        ("Call `__init__(*args)` or `a | b`.", "Call __init__(*args) or a | b."),
        (
            "Use __init__.py, *args, _private and snake_case.",
            "Use __init__.py, *args, _private and snake_case.",
        ),
        ("It is *really* **good**, _as they say_, ~~bad~~.", "It is really good, as they say, bad."),
        ("**`x_y`** in [`f(x)[0]`](https://a.example/)", "x_y in f(x)[0]"),
        ("2 * 3 * 4 is ~24, cat x | grep y, \\d+\\.", "2 * 3 * 4 is ~24, cat x | grep y, \\d+\\."),
        ("[mysqld] sets arr[1] = 5", "[mysqld] sets arr[1] = 5"),
        ("| a | **b** |", "a | b"),
        ("## A *title*", "A title"),
        ("> quoted `x`", "quoted x"),
    ],
)
def test_code_and_lone_marks_stay_in_plain_text(markdown, text):
    assert without_markdown(markdown) == text


def test_no_name_reaches_from_one_cell_of_a_table_into_the_next():
    rows = "| Title | Studio |\n|---|---|\n| Alien Dawn | Ostara Pictures |\n| Blue Hour | Fenn Film |"
    assert excerpt_text(rows) == "Title | Studio | Alien Dawn | Ostara Pictures | Blue Hour | Fenn Film"
