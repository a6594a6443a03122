import pytest
from lxml import html

from research_crawler.extraction.html.blocks import read_blocks
from research_crawler.extraction.html.markdown import to_markdown
from research_crawler.extraction.html.split_tables import join_split_tables

NAMES = "<table><tr><th>Club<tr><td>Harrow<tr><td>Alder</table>"
VALUES = "<table><tr><th>Won<th>Lost<tr><td>3<td>1<tr><td>2<td>2</table>"
JOINED = "| Club | Won | Lost |\n| --- | --- | --- |\n| Harrow | 3 | 1 |\n| Alder | 2 | 2 |"


def joined(markup: str) -> str:
    root = html.document_fromstring(markup)
    join_split_tables(root)
    return to_markdown(read_blocks(root.body))


def test_the_names_in_a_column_that_stands_still_are_joined_to_their_values():
    assert joined(f"<div class=flex>{NAMES}<div><div class=scroller>{VALUES}</div></div></div>") == JOINED
    assert joined(f"<div><div>{NAMES}</div> <div>{VALUES}</div></div>") == JOINED


@pytest.mark.parametrize(
    "between",
    ["<p>Another table:</p>", "another", "<hr>"],
)
def test_tables_with_something_between_them_stay_apart(between):
    assert "Harrow | 3" not in joined(f"<div>{NAMES}{between}{VALUES}</div>")


def test_tables_of_different_length_or_width_stay_apart():
    assert "Harrow | 3" not in joined(NAMES + VALUES.replace("<tr><td>2<td>2", ""))
    assert joined(VALUES + VALUES).count("| Won | Lost |") == 2


def test_the_page_around_the_tables_stays_as_it_is():
    assert joined(f"<p>a</p>{NAMES}{VALUES}b<p>c</p>") == f"a\n\n{JOINED}\n\nb\n\nc"
