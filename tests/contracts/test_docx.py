"""python-docx: the XML elements behind paragraphs and runs, to which bookmarks and links are added."""

from docx import Document

from tests.contracts.private_names import relied_on


def test_a_paragraph_and_a_run_have_their_xml_elements() -> None:
    paragraph = Document().add_paragraph()
    run = paragraph.add_run("text")
    inner = relied_on(run, "_r", "a link of a report holds the run")
    outer = relied_on(paragraph, "_p", "bookmarks and links of a report are added to it")
    assert inner in list(outer)
