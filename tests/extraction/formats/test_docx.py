"""Word documents are read as text with headings, lists and tables; damaged and hostile ones are refused."""

import contextlib
import io
import zipfile
from datetime import datetime

import pytest
from docx import Document
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.extraction.formats.docx import MAX_UNPACKED, is_docx, read_docx
from research_crawler.extraction.page import read_page
from tests.cases import each_case


def document(*, title="Minutes", paragraphs=("Grass is green.",)) -> bytes:
    made = Document()
    made.core_properties.title = title
    made.add_heading("About grass", 1)
    for text in paragraphs:
        made.add_paragraph(text)
    made.add_paragraph("the first point", style="List Bullet")
    made.add_paragraph("a smaller one", style="List Bullet 2")
    table = made.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ("Plant", "Colour", "Moss", "green"), strict=True):
        cell.text = text
    made.add_heading("The end", 2)
    return saved(made)


def saved(made) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def test_headings_lists_and_tables_stand_where_they_are_in_the_document():
    page = read_page(document(), url="file:///minutes.docx", headers={})
    assert page.markdown == (
        "# About grass\n\nGrass is green.\n\n- the first point\n  - a smaller one\n\n"
        "| Plant | Colour |\n| --- | --- |\n| Moss | green |\n\n## The end"
    )
    assert (page.title, [h.level for h in page.headings]) == ("Minutes", [1, 2])
    assert "Plant\tColour" in page.text


def test_a_document_without_a_title_is_named_by_its_first_heading():
    assert read_docx(document(title=""), max_chars=999).title == "About grass"


def test_a_long_document_is_cut_and_says_so():
    page = read_docx(document(paragraphs=("x" * 400,) * 9), max_chars=1_000)
    assert len(page.markdown) < 1_100
    assert page.metadata == {"cut": "true"}


def test_a_document_without_text_is_refused():
    with pytest.raises(PageUnreadable) as refused:
        read_docx(saved(Document()), max_chars=99)
    assert refused.value.reason.kind is Reason.NO_TEXT


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed,
        packed.open("word/document.xml", "w") as part,
    ):
        for _ in range(MAX_UNPACKED // 1_000_000 + 1):
            part.write(b" " * 1_000_000)
    assert is_docx(file.getvalue())
    with pytest.raises(PageUnreadable) as refused:
        read_docx(file.getvalue(), max_chars=99)
    assert refused.value.reason.kind is Reason.TOO_LARGE


@given(st.integers(0, 10_000), st.binary(min_size=1, max_size=8))
def test_a_damaged_document_is_read_or_refused_and_nothing_else(place, junk):
    body = bytearray(SAMPLE)
    place %= len(body)
    body[place : place + len(junk)] = junk
    if is_docx(bytes(body)):
        with contextlib.suppress(PageUnreadable):
            read_docx(bytes(body), max_chars=999)


def test_other_zip_files_are_no_documents():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("a.txt", "text")
    assert not is_docx(file.getvalue())
    assert not is_docx(b"PK\x03\x04 broken")


SAMPLE = document()


@each_case("year", [1, 1601, 2099, 9999])
def test_a_day_on_which_nobody_can_have_written_is_no_day_of_the_document(year):
    made = Document()
    made.add_paragraph("Grass is green.")
    made.core_properties.created = made.core_properties.modified = datetime(year, 12, 31)
    page = read_docx(saved(made), max_chars=999)
    assert (page.published, page.modified) == ("", "")
