"""An excerpt is shown as its page has it, without what a reader has read above it."""

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text, without_sentences
from research_crawler.text.sentences import units

FIRST = "Routine cleaning is done for four reasons by the daemon."
TOLD = "There are two variants of it, and the second one locks the table."
LAST = "The first one runs beside other work of the server all day."


def test_a_sentence_that_stands_above_is_left_out_and_marked_where_it_was_in_between():
    assert without_sentences(f"{FIRST} {TOLD} {LAST}", [TOLD]) == f"{FIRST} […] {LAST}"
    assert without_sentences(f"{FIRST} {TOLD}", [TOLD]) == FIRST
    assert without_sentences(f"{TOLD} {LAST}", [TOLD]) == LAST
    assert without_sentences(f"{FIRST}\n\n{TOLD}\n\n{LAST}", [TOLD]).split("\n") == [FIRST, "", "", "", LAST]


def test_items_rows_and_code_stay_as_they_are():
    quote = f"{FIRST}\n\n- {TOLD}\n\n```\n{TOLD}\n```"
    assert without_sentences(quote, [TOLD]) == quote


def test_nothing_is_left_of_an_excerpt_that_was_told_whole():
    assert without_sentences(TOLD, [TOLD]) == ""
    assert without_sentences(f"{TOLD} See below.", [TOLD]) == ""


@given(
    st.lists(st.sampled_from([FIRST, TOLD, LAST, "- An item of it.", "```\na = b\n```"]), max_size=6),
    st.integers(0, 5),
)
def test_only_told_sentences_are_lost(parts, place):
    quote = "\n\n".join(parts)
    told = [unit.text for unit in units(quote) if unit.form == "sentence"][place : place + 1]
    left = without_sentences(quote, told)
    assert not left or {*excerpt_text(quote).split()} - {*excerpt_text(left).split()} <= {
        *" ".join(told).split()
    }
    assert without_sentences(quote, []) in ("", quote)
