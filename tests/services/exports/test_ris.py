"""The RIS export, read back by a parser of RIS."""

import rispy
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.text.plain_text import clean_line
from research_crawler.services.exports.renderers.ris import records
from tests.cases import each_case
from tests.services.exports.samples import HOSTILE, TEXTS, manuscript_with, rendered


def test_a_record_has_what_a_bibliography_needs():
    source = Source(
        n=3,
        title="Heat pumps",
        url="https://a.example/3",
        host="a.example",
        published="2026-10",
        fetched_at="2026-11-22T13:09:47+00:00",
    )
    assert records([source]).split("\r\n") == [
        "TY  - ELEC", "ID  - 3", "TI  - Heat pumps", "PB  - a.example", "PY  - 2026", "DA  - 2026/10//",
        "Y2  - 2026/11/22/", "UR  - https://a.example/3", "ER  - ", "",
    ]  # fmt: skip


@each_case("text", HOSTILE)
def test_hostile_titles_are_one_record_for_each_source(text):
    manuscript = manuscript_with(text)
    entries = rispy.loads(rendered("ris", manuscript).decode())
    assert [entry["id"] for entry in entries] == ["1", "2"]
    assert [entry["title"] for entry in entries] == [clean_line(s.title) for s in manuscript.report.sources]
    assert [entry["urls"] for entry in entries] == [["https://www.a.example/1"], ["https://b.example/2"]]


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_whatever_pages_are_called_each_is_one_record_with_its_title(texts):
    sources = [
        Source(n=n, title=f"T{title}", url=f"https://a.example/{path}", host="a.example")
        for n, (title, path) in enumerate(texts, 1)
    ]
    entries = rispy.loads(records(sources))
    assert [entry["title"] for entry in entries] == [clean_line(source.title) for source in sources]
    assert all(entry["type_of_reference"] == "ELEC" for entry in entries)
