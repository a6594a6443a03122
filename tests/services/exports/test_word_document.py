"""The DOCX export: it opens, has the report's parts, and texts of others are text."""

import io
from itertools import cycle

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import given

from research_crawler.core.text.plain_text import clean_line
from research_crawler.services.exports.manuscript import Manuscript
from tests.cases import each_case
from tests.services.exports.samples import HOSTILE, PLACES, TEXTS, manuscript_with, rendered


def opened(manuscript: Manuscript):
    return docx.Document(io.BytesIO(rendered("docx", manuscript)))


def text_of(document) -> str:
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return " ".join(" ".join([*(paragraph.text for paragraph in document.paragraphs), *cells]).split())


def links_of(document) -> set[str]:
    return {part.target_ref for part in document.part.rels.values() if part.is_external}


@each_case(("text", "of"), list(zip(HOSTILE, cycle(["pumps", "laptops"]), strict=False)))
def test_hostile_text_is_shown_and_links_nowhere(text, of):
    manuscript = manuscript_with(text, of=of)
    document = opened(manuscript)
    assert clean_line(text)[:800] in text_of(document)
    assert links_of(document) <= manuscript.addresses
    assert document.core_properties.title == manuscript.report.goal[:255]


@pytest.mark.long
@given(TEXTS, PLACES)
def test_no_text_keeps_the_document_from_opening_or_adds_a_link(text, of):
    manuscript = manuscript_with(text, of=of)
    assert links_of(opened(manuscript)) <= manuscript.addresses


def test_the_parts_of_the_report_have_the_styles_of_word():
    document = opened(manuscript_with(of="laptops"))
    styles = [(paragraph.style.name, paragraph.text) for paragraph in document.paragraphs]
    assert styles[0] == ("Title", "gaming laptop")
    assert ("Heading 1", "Answer") in styles
    assert ("Heading 2", "Offers") in styles
    assert any(name == "List Bullet" and text.startswith("It is good") for name, text in styles)
    head = document.tables[-1].rows[0].cells
    assert [cell.text for cell in head] == ["Product", "Price", "Vendor", "Stock", "Condition"]


def test_citations_are_links_to_the_sources_which_have_their_quotes():
    document = opened(manuscript_with())
    body = document.element.body
    anchors = {link.get(qn("w:anchor")) for link in body.iter(qn("w:hyperlink"))} - {None}
    bookmarks = {mark.get(qn("w:name")) for mark in body.iter(qn("w:bookmarkStart"))}
    assert anchors == bookmarks == {"source_1", "source_2"}
    assert links_of(document) == {"https://www.a.example/1", "https://b.example/2"}
    quotes = [paragraph.text for paragraph in document.paragraphs if paragraph.style.name == "Quote"]
    assert "“A fan blows air.”" in quotes
