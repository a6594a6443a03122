import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.text.markdown import block, inert, prose


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Heat moves [1][2].", "Heat moves."),
        ("See [the docs](https://x.example/a_(b)) now.", "See the docs now."),
        ("It costs $5 (https://shop.example/x).", "It costs $5."),
        ("![alt](http://x.example/i.png) text", "alt text"),
        ("Evidence [E1, E4] says so", "Evidence says so"),
        ("two\nlines\x00here", "two lines here"),
        ("visit www.evil.example now", "visit now"),
        ("a <https://x.example/> b", "a b"),
    ],
)
def test_a_sentence_loses_addresses_and_citation_marks(text, clean):
    assert prose(text) == clean


@pytest.mark.parametrize("text", ["# Big", "> quote", "- item", "1. item", "| cell |", "```code"])
def test_an_inert_line_starts_no_markdown_block(text):
    assert re.match(r"\w", inert(text))


@given(st.text(max_size=200))
def test_an_inert_text_never_contains_html_or_links(text):
    safe = inert(text)
    assert "\n" not in safe
    assert not re.search(r"(?<!\\)(?:\\\\)*<[a-zA-Z/!]", safe)
    assert not re.search(r"https?://", safe, re.I)
    assert "](" not in safe.replace("]\\(", "")


def test_a_callers_text_cannot_start_a_section_of_the_document():
    assert block("# A\ntext\n## B\n---") == "\\# A\ntext\n\\## B\n\\---"
