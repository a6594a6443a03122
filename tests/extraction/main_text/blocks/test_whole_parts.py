import time

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from research_crawler.extraction.html.blocks import Block, read_blocks
from research_crawler.extraction.main_text.blocks.whole_parts import keep_whole
from tests.cases import each_case

STANDINGS = (
    "<h1>League</h1><table><caption>After ten games</caption><tr><th>Place<th>Club<th>Points"
    + "".join(f"<tr><td>{place}<td>Club {place}<td>{40 - place}" for place in range(1, 19))
    + "</table><p>The end.</p>"
)


def blocks_of(markup: str) -> list[Block]:
    return read_blocks(html.document_fromstring(markup).body)


def texts(blocks: list[Block]) -> list[str]:
    return [block.text or " | ".join(block.cells) for block in blocks]


def kept(markup: str, *wanted: str, **options: bool) -> list[str]:
    blocks = blocks_of(markup)
    return texts(keep_whole(blocks, [block for block in blocks if texts([block])[0] in wanted], **options))


@given(st.sets(st.integers(0, 21)))
def test_a_table_of_data_is_kept_whole_whatever_was_chosen_of_it(places):
    blocks = blocks_of(STANDINGS)
    found = keep_whole(blocks, [block for place, block in enumerate(blocks) if place in places])
    assert [block for block in found if block.table is not None] == [
        block for block in blocks if block.table is not None
    ]
    assert [id(block) for block in found] == [id(block) for block in blocks if block in found]


def test_a_table_keeps_the_heading_above_it():
    assert kept(f"<p>Before.</p>{STANDINGS}", "Before.", "The end.")[:3] == [
        "Before.",
        "League",
        "After ten games",
    ]


@each_case("frame", ["nav", "aside", "footer", "div role=navigation"])
def test_three_places_of_a_table_beside_the_content_are_no_table(frame):
    page = f"<{frame}>{STANDINGS}</{frame.split()[0]}>"
    assert kept(page, "League", "1 | Club 1 | 39", "The end.") == ["League", "The end."]


def test_a_calendar_and_the_list_of_other_threads_are_no_tables_of_data():
    days = "<table><tr><th>M<th>T" + "<tr><td>1<td>2" * 5 + "</table>"
    assert kept(f"<p>Text.</p>{days}", "Text.") == ["Text."]
    assert kept(STANDINGS, "League", "The end.", thread=True) == ["League", "The end."]


def test_rows_that_another_reading_divides_differently_count_as_rows_of_the_same_table():
    blocks = blocks_of(STANDINGS)
    others = [Block("row", "", cells=("", f"Club {place}", f"{40 - place}")) for place in range(1, 19)]
    assert texts(keep_whole(blocks, [blocks[0], *others])) == texts(blocks)[:-1]
    stray = Block("row", "", cells=("other", "table"))
    assert keep_whole(blocks, [stray]) == [stray, *blocks[:-1]]


def test_a_subsection_keeps_the_heading_of_its_section():
    markup = "<h2>Repair</h2><h3>Pump</h3><p>Open it.</p><h2>Care</h2><h2>Use</h2>"
    assert kept(markup, "Pump", "Open it.") == ["Repair", "Pump", "Open it."]
    assert kept(markup, "Use") == ["Use"]


def test_thousands_of_rows_that_another_reading_divides_differently_are_matched_in_bounded_time():
    table = "".join(f"<tr><td>same<td>{'left' if n % 2 else 'right'}" for n in range(4_000))
    blocks = blocks_of(f"<table>{table}</table>")
    others = [Block("row", "", cells=("left", "right")) for _ in range(4_000)]
    started = time.process_time()
    assert keep_whole(blocks, others) == [*others, *blocks]
    assert time.process_time() - started < 5


def test_a_term_stays_with_its_explanation_however_long_that_is():
    long = "This level writes each block to both disks, so that one of them may fail. " * 6
    page = f"<dl><dt>Mirror</dt><dd><p>{long}</p><p>It is slow.</p></dd><dt>Stripe</dt><dd><p>{long}Fast.</p></dd></dl>"
    told = " ".join(long.split())
    assert kept(page, told, "It is slow.") == ["Mirror", told, "It is slow."]
    assert kept(page, "It is slow.") == ["It is slow."]
