"""Printing HTML as PDF by the real browser."""

import asyncio

import pypdfium2
import pytest

from research_crawler.adapters.pdf_printer import print_pdf
from research_crawler.core.config import load_core_config
from research_crawler.core.errors import NoBrowser
from tests.browser import real_browser
from tests.services.exports.samples import HOSTILE, manuscript_with, rendered

FIXED = ("Answer", "Key Findings", "Research Journey", "Key Sources")
"""The titles that every report has, in their order."""


def words_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def test_a_report_is_printed_with_its_words_its_quotes_and_its_headings():
    real_browser()
    pdf = rendered("pdf", manuscript_with(HOSTILE[0]))
    assert pdf.startswith(b"%PDF-")
    letters = words_of(pdf).replace(" ", "")  # where lines are broken is the browser's choice
    assert "howdoheatpumpswork<script>alert(1)</script>" in letters
    assert "“Afanblowsair.<script>alert(1)</script>”" in letters
    assert "[1]" in letters
    assert "Before" not in letters  # notes are for screens
    titles = [mark.get_title() for mark in pypdfium2.PdfDocument(pdf).get_toc()]
    assert [title for title in titles if title in FIXED] == list(FIXED)


@pytest.mark.long
async def test_nothing_is_loaded_and_no_script_runs(tmp_path):
    real_browser()
    (tmp_path / "secret.html").write_text("a secret")
    html = (
        f"<p>shown</p><iframe src='file://{tmp_path}/secret.html'></iframe>"
        "<script>document.body.textContent = 'scripted'</script>"
    )
    assert words_of(await print_pdf(html, load_core_config())) == "shown"


@pytest.mark.long
async def test_the_browser_connects_to_nobody_whatever_the_page_says():
    real_browser()
    called = []

    def note(_, writer) -> None:
        called.append(writer.get_extra_info("peername"))
        writer.close()

    server = await asyncio.start_server(note, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    relations = ("preconnect", "dns-prefetch", "prefetch", "prerender", "modulepreload", "stylesheet", "icon")
    html = "".join(f"<link rel={relation} href='{url}/{relation}'>" for relation in relations) + (
        f"<meta http-equiv=refresh content='0;url={url}/moved'><style>@import url({url}/css);"
        f"p {{background: url({url}/image)}}</style><p>shown</p><iframe src='{url}/frame'></iframe>"
        f"<object data='{url}/object'></object><img src='{url}/image'><video src='{url}/video'></video>"
    )
    async with server:
        printed = await asyncio.gather(*(print_pdf(html, load_core_config()) for _ in range(4)))
    assert all(words_of(pdf).startswith("shown") for pdf in printed)
    assert called == []


@pytest.mark.long
async def test_a_document_that_takes_too_long_is_given_up_in_one_line():
    real_browser()
    with pytest.raises(NoBrowser, match=r"did not print the PDF within 0.01 s; export the report as HTML"):
        await print_pdf("<p>", load_core_config(), most_s=0.01)


async def test_without_a_browser_one_line_says_how_to_get_one():
    with pytest.raises(NoBrowser, match=r"there is none; get one with `playwright install chromium`"):
        await print_pdf("<p>", load_core_config(browser="off"))


@pytest.mark.long
async def test_a_browser_that_does_not_start_is_named(tmp_path):
    program = tmp_path / "broken-browser"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(NoBrowser, match="broken-browser could not print") as caught:
        await print_pdf("<p>", load_core_config(browser=str(program)))
    assert "\n" not in str(caught.value)
