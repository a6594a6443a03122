"""A quote with the part of its stored page that stands around it."""

from research_crawler.core.models.reports.cited_parts import Evidence
from research_crawler.services.exports.page_markup import marked_page
from research_crawler.services.exports.quoted_page import around


def shown(text: str, quote: str, letters: int) -> str:
    start = text.index(quote)
    piece = Evidence(id="E1", claim=quote, quote=quote, url="", start=start, end=start + len(quote))
    found = around(piece, text, letters)
    return str(marked_page(found.before, found.quote, found.after, anchor=""))


def test_the_blocks_around_a_quote_stay_blocks():
    text = "Before.\n\n## Fast mode\n\nIt aborts. **The quote.**\n\n- one\n- two\n\n" + "Far away.\n\n" * 99
    page = shown(text, "The quote.", 40)
    assert "<h4>Fast mode</h4>" in page
    assert "<mark>The quote.</mark>" in page
    assert "<li>two</li>" in page
    assert page.count("Far away.") < 4


def test_a_row_stands_under_the_heads_of_its_table_and_a_line_of_code_in_its_listing():
    rows = "".join(f"| part {n} | {n} kg |\n" for n in range(60))
    page = shown(f"Weights:\n\n| Part | Weight |\n|---|---|\n{rows}\nEnd.", "part 55", 100)
    assert "<th>Weight</th>" in page
    assert "<td><mark>part 55</mark></td>" in page
    listing = "\n".join(f"line {n}" for n in range(60))
    page = shown(f"So:\n\n```\n{listing}\n```\n\n# End\n", "line 59", 80)
    assert "<pre><code>line 5" in page
    assert "<h3>End</h3>" in page


def test_a_long_paragraph_is_cut_between_words():
    page = shown("word " * 200 + "QUOTE " + "other " * 200, "QUOTE", 52)
    assert page == f"<p>{'word ' * 10}<mark>QUOTE</mark>{' other' * 8}</p>\n"


def test_a_quote_that_begins_or_ends_with_a_fence_leaves_its_listing_a_listing():
    text = "So:\n\n```\ngit reset\n```\n\nThat is all.\n\n```\nmake\n```\n"
    page = shown(text, "```\ngit reset\n```\n\nThat is all.", 100)
    assert "<pre><code><mark>git reset\n</mark></code></pre>" in page
    assert "<p><mark>That is all.</mark></p>" in page
    page = shown(text, "That is all.\n\n```\nmake\n```", 100)
    assert "<p><mark>That is all.</mark></p>" in page
    assert "<pre><code><mark>make\n</mark></code></pre>" in page or "<mark>make</mark>" in page
    assert "```" not in page
