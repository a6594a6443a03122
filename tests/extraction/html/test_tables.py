import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from markdown_it import MarkdownIt

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.html_to_markdown import to_markdown, to_text
from tests.cases import each_case


def markdown(markup: str) -> str:
    return to_markdown(read_blocks(html.document_fromstring(markup).body))


def test_a_table_is_judged_as_a_whole_so_one_row_with_a_form_or_a_heading_stays_a_row():
    table = (
        "<table><tr><th>Plan<th>Price<tr><td><h3>Small</h3><td>5 €"
        "<tr><td>Large<td>9 € <form><button>Buy</button></form></table>"
    )
    assert markdown(table) == "| Plan | Price |\n| --- | --- |\n| Small | 5 € |\n| Large | 9 € |"


@each_case(
    "table",
    [
        "<table role=presentation><tr><td>Menu<td>Text<tr><td>a<td>b</table>",
        "<table><tr><td>Menu<td><table><tr><td>a<td>b</table></table>",
        f"<table><tr><td>ann<td>{'I say what I think about kettles. ' * 12}</table>",
        "<table><tr><td><pre>1\n2\n3</pre><td><pre>a = 1\nb = 2\nc = 3</pre></table>",
    ],
)
def test_a_table_that_arranges_the_page_makes_no_rows(table):
    outer = read_blocks(html.document_fromstring(table).body)
    assert [block.kind for block in outer if "ann" in block.text or "Menu" in block.cells] != ["row"]
    assert not any(len("".join(block.cells)) > 40 for block in outer)


def test_a_cell_that_spans_rows_is_said_in_each_and_one_that_spans_columns_keeps_the_others_in_place():
    table = (
        "<table><tr><th rowspan=2>Size<th colspan=2>Price<tr><th>new<th>used"
        "<tr><td rowspan=2>A4<td>5<td>3<tr><td>6<td>4<tr><td>A3<td colspan=2>on request</table>"
    )
    assert markdown(table).splitlines() == [
        "| Size | Price |  |", "| --- | --- | --- |", "| Size | new | used |",
        "| A4 | 5 | 3 |", "| A4 | 6 | 4 |", "| A3 | on request |  |",
    ]  # fmt: skip


def test_the_title_of_a_table_stands_above_it_and_the_title_of_a_part_in_a_row():
    table = (
        "<table><tr><td colspan=2>Results<tr><td>Won<td>3<tr><td colspan=2>Away<tr><td>Lost<td>1</table>"
        "<table><tr><td>Other<td>table</table>"
    )
    assert markdown(table) == (
        "Results\n\n| Won | 3 |\n| --- | --- |\n| Away |  |\n| Lost | 1 |\n\n| Other | table |\n| --- | --- |"
    )


def test_a_tick_in_a_cell_is_its_value():
    table = (
        "<table><tr><th>Feature<th>Basic<tr><td>Backup<td><img src=x alt=Yes>"
        "<tr><td>Restore<td><i class=no aria-label=No></i></table>"
    )
    assert markdown(table).splitlines()[2:] == ["| Backup | Yes |", "| Restore | No |"]


def test_empty_cells_at_the_end_are_no_tabs_in_the_text():
    root = html.document_fromstring("<table><tr><th>a<th>b<tr><td>c<td></table>").body
    assert to_text(read_blocks(root)) == "a\tb\nc"


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 70_000), st.integers(0, 70_000), st.sampled_from("xyz ")), max_size=5
        ),
        max_size=8,
    )
)
def test_any_spans_make_one_even_table_with_every_text(rows):
    cells = ["".join(f"<td rowspan={r} colspan={c}>{t}</td>" for r, c, t in row) for row in rows]
    text = markdown(f"<table><tr><th>A<th>B</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>")
    assert len({line.count("|") for line in text.splitlines()}) == 1
    for letter in "xyz":
        assert text.count(letter) >= sum(cell[2] == letter for row in rows for cell in row)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert [token.type for token in tokens].count("table_open") == 1


@pytest.mark.long
def test_spans_cannot_multiply_the_text_of_a_page():
    wide = "".join(f"<td rowspan=65000 colspan=1000>{'w' * 70}</td>" for _ in range(200))
    page = f"<table><tr><th>A</th>{wide}</tr>{'<tr><td>x<td>y</tr>' * 10_000}</table>"
    root = html.document_fromstring(page).body
    started = time.process_time()
    text = to_text(read_blocks(root))
    assert time.process_time() - started < 10
    assert len(text.replace("\t", "")) < 3 * len(page)
