"""The BibTeX export, read back by a parser of BibTeX."""

import bibtexparser
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.text.plain_text import clean_line
from research_crawler.services.exports.renderers.bibtex import _COMMANDS, bibliography
from tests.cases import each_case
from tests.services.exports.samples import HOSTILE, TEXTS, manuscript_with, rendered


def parsed(text: str):
    library = bibtexparser.parse_string(text, parse_stack=[])
    assert not library.failed_blocks
    assert len(library.blocks) == len(library.entries)
    return library.entries


def unescaped(value: str) -> str:
    """The text that TeX shows of a value in two pairs of braces."""
    assert (value[:2], value[-2:]) == ("{{", "}}")
    value, shown = value[2:-2], ""
    while value:
        plain = next((letter for letter, command in _COMMANDS.items() if value.startswith(command)), value[0])
        value = value.removeprefix(_COMMANDS.get(plain, plain))
        shown += plain
    return shown


def a_source(n: int, title: str = "Heat pumps", **more) -> Source:
    fields = {"n": n, "title": title, "url": f"https://a.example/{n}", "host": "a.example"}
    return Source(**fields | more)


def test_an_entry_has_what_a_bibliography_needs():
    source = a_source(
        3,
        "Heat & {Power}",
        published="2026-10-19",
        fetched_at="2026-11-22T13:09:47+00:00",
        page_numbers=[2, 5],
    )
    (entry,) = parsed(bibliography([source]))
    assert (entry.entry_type, entry.key) == ("misc", "a2026heat-3")
    assert {field.key: field.value for field in entry.fields} == {
        "title": r"{{Heat \& \textbraceleft{}Power\textbraceright{}}}",
        "howpublished": "{a.example}",
        "year": "{2026}",
        "month": "oct",
        "url": "{https://a.example/3}",
        "urldate": "{2026-11-22}",
        "pages": "{2, 5}",
    }


def test_dates_that_are_unknown_are_left_out():
    (entry,) = parsed(bibliography([a_source(1, published="last year")]))
    assert {field.key for field in entry.fields} == {"title", "howpublished", "url"}


@each_case("text", HOSTILE)
def test_hostile_titles_are_one_entry_for_each_source(text):
    manuscript = manuscript_with(text)
    entries = parsed(rendered("bibtex", manuscript).decode())
    assert [entry.key.rpartition("-")[2] for entry in entries] == ["1", "2"]
    for entry, source in zip(entries, manuscript.report.sources, strict=True):
        assert unescaped(entry["title"]) == clean_line(source.title)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_whatever_pages_are_called_each_is_one_entry_with_its_title(texts):
    sources = [
        a_source(n, f"T{title}", url=f"https://a.example/{path}", published=day)
        for n, (title, path, day) in enumerate(texts, 1)
    ]
    entries = parsed(bibliography(sources))
    assert len({entry.key for entry in entries}) == len(entries) == len(sources)
    for entry, source in zip(entries, sources, strict=True):
        assert unescaped(entry["title"]) == clean_line(source.title)
