import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.evidence.findings import Extraction, ProposedFinding
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.extraction.evidence.finding_verification import page_number, verify
from research_crawler.extraction.page import read_page
from tests.cases import each_case

URL = "https://example.com/manual.pdf"


def pdf(*pages: list[str], info: str = "") -> bytes:
    """A small PDF document. Each page has the given lines below one another."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for lines in pages:
        shown = "\n".join(
            f"1 0 0 1 50 {760 - 16 * n} Tm ({line.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj"
            for n, line in enumerate(lines)
        )
        stream = f"BT /F1 11 Tf\n{shown}\nET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append(f"<< {info} >>")
    body, offsets = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{one}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>"
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    return body + f"{head}{table}{trailer}\nstartxref\n{len(body)}\n%%EOF\n".encode("latin-1")


def read(body: bytes, content_type: str = "application/pdf") -> PageText:
    return read_page(body, url=URL, headers={"content-type": content_type})


MANUAL = pdf(
    [
        "Kettle manual",
        "The kettle boils one litre of water in two minutes and it stays",
        "quiet while it does so.",
    ],
    [
        "Kettle manual",
        "Descale the kettle once a month with vinegar and rinse it twice",
        "before you use it again.",
    ],
    [
        "Kettle manual",
        "The warranty lasts three years from the day on which you buy it",
        "and covers the heater.",
    ],
    info="/Title (Kettle manual) /Author (Ada) /CreationDate (D:20240305101112Z)",
)


def test_lines_become_paragraphs_and_running_heads_are_left_out():
    page = read(MANUAL)
    assert (
        "The kettle boils one litre of water in two minutes and it stays quiet while it does so." in page.text
    )
    assert page.markdown == page.text
    assert "Kettle manual" not in page.text
    assert (page.title, page.author, page.published) == ("Kettle manual", "Ada", "2024-03-05")


@each_case("content_type", ["application/pdf", "application/octet-stream", "text/html", ""])
def test_a_pdf_is_known_by_its_first_bytes(content_type):
    assert "three years" in read(MANUAL, content_type).text


def test_every_offset_of_the_text_has_its_page_number():
    page = read(MANUAL)
    numbers = [
        page_number(page, page.text.index(word)) for word in ("boils", "vinegar", "warranty", "heater")
    ]
    assert numbers == [1, 2, 3, 3]


def test_a_finding_in_a_pdf_has_its_page_number():
    stored = StoredPage(sha="s", url=URL, final_url=URL, page=read(MANUAL))
    proposed = ProposedFinding(
        claim="Monthly descaling", quote="Descale the kettle once a month with vinegar"
    )
    found, refused = verify(Extraction(findings=[proposed], by="test"), stored, "job:1")
    assert refused == 0
    assert found[0].page_number == 2


def test_a_paragraph_continues_across_a_page_break():
    body = pdf(
        ["The first page ends in the middle of a sentence that is long and"],
        ["goes on here on the second page of this document until its end."],
    )
    page = read(body)
    assert "that is long and goes on here" in page.text
    assert page_number(page, page.text.index("goes on here")) == 2


def test_a_broken_pdf_is_refused_with_its_reason():
    with pytest.raises(PageUnreadable, match="pdf_broken"):
        read(b"%PDF-1.7\n" + b"nothing of the kind " * 50)


def test_a_pdf_without_text_is_refused():
    with pytest.raises(PageUnreadable, match="no_text"):
        read(pdf([]))


@given(st.integers(0, len(MANUAL)), st.binary(max_size=40))
def test_a_damaged_pdf_is_read_or_refused(place, inserted):
    try:
        page = read(MANUAL[:place] + inserted + MANUAL[place + len(inserted) :])
    except PageUnreadable as refused:
        assert refused.reason.text in ("pdf_broken", "pdf_locked", "no_text", "binary", "empty")
    else:
        assert page.text.strip()
