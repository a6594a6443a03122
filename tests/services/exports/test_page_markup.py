"""A stored page is shown with its headings and lists, with the quote marked, and nothing of it becomes markup."""

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from research_crawler.services.exports.page_markup import marked_page
from tests.cases import each_case
from tests.services.exports.samples import HOSTILE, TEXTS

OURS = re.compile(
    r"</?(?:h[1-4]|p|ul|ol|li|table|thead|tbody|tr|th|td|pre|code|em|strong|blockquote|hr|br|mark)\b"
)


def test_headings_lists_and_links_are_text_and_the_quote_is_marked():
    shown = marked_page(
        "# Pumps\n\nSee [the manual](http://a.example/x) and ![a fan](f.png).\n\n- one\n- ",
        "two **bold**",
        " more\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n",
    )
    assert "<h3>Pumps</h3>" in shown and "See the manual and a fan." in shown
    assert '<li><mark id="quote">two </mark><strong><mark>bold</mark></strong> more</li>' in shown
    assert '<td class="right">2</td>' in shown and "a.example" not in shown and "style=" not in shown


@each_case("quote", ["## A heading", "- an item", "> a quotation", "1. first"])
def test_a_quote_that_begins_a_block_leaves_it_a_block(quote):
    shown = marked_page("Before.\n\n", quote, "\n\nAfter.")
    assert '<mark id="quote">' in shown and re.search(r"<(h4|li|blockquote)", shown), shown


def test_a_quote_over_several_blocks_is_marked_in_each():
    shown = marked_page("a ", "b\n\n# c\n\nd", " e")
    assert shown.count("<mark") == 3 and shown.count('id="quote"') == 1


@given(st.lists(TEXTS, min_size=3, max_size=3), st.sampled_from(HOSTILE))
def test_nothing_of_a_page_is_markup(parts, hostile):
    shown = str(marked_page(parts[0], f"{parts[1]}{hostile}", parts[2]))
    assert not [tag for tag in re.findall(r"<[^>]*>", shown) if not OURS.match(tag)], shown


@each_case("unit", ["[", "![", "*a ", "_", "`", "> ", "[a](", "<", "|", "- ", "\\", "&", "# "])
def test_a_page_that_repeats_one_mark_costs_little(unit):
    text = (unit * 20_000)[:20_000]
    begun = time.process_time()
    marked_page(text, "quote", text)
    assert time.process_time() - begun < 5
