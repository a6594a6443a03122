"""The command `research export`, on a finished run."""

import io
import json
import re
import stat

import bibtexparser
import docx
import pypdfium2
import pytest
from lxml import html

from tests.browser import real_browser

pytestmark = pytest.mark.long

GOAL = "What is the best hand coffee grinder for travel?"


@pytest.fixture(scope="module")
def finished(new_research, tmp_path_factory):
    """The command with a finished run, and the run's report."""
    research = new_research(tmp_path_factory.mktemp("export"))
    answer = research("run", GOAL, "--json")
    assert answer.code == 0, answer.err
    return research, answer.json


def test_without_options_the_report_is_printed_as_markdown(finished):
    research, report = finished
    answer = research.anew()("export", report["job"])
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == report["report_markdown"]


def test_the_name_of_the_file_decides_the_format(finished):
    research, report = finished
    for name in ("report.html", "report.docx", "sources.bib", "sources.ris", "report.json", "report.md"):
        answer = research("export", report["job"], "--out", name)
        assert (answer.code, answer.out) == (0, ""), answer.err
        assert answer.err.startswith(f"research: wrote {name} (")
    made = {path.suffix: path.read_bytes() for path in research.folder.iterdir() if path.is_file()}
    assert html.document_fromstring(made[".html"]).findtext(".//title") == GOAL
    assert docx.Document(io.BytesIO(made[".docx"])).core_properties.title == GOAL
    entries = bibtexparser.parse_string(made[".bib"].decode(), parse_stack=[]).entries
    assert [entry["url"] for entry in entries] == [f"{{{source['url']}}}" for source in report["sources"]]
    assert made[".ris"].count(b"ER  - \r\n") == len(report["sources"])
    assert json.loads(made[".json"])["claims"] == report["claims"]
    assert not [path for path in research.folder.iterdir() if path.name.startswith(".")]


def test_a_mark_in_the_html_has_the_quote_with_the_text_around_it_on_the_page(finished):
    research, report = finished
    tree = html.document_fromstring(research("export", report["job"], "--format", "html").out)
    notes = tree.xpath("//*[@class='note']")
    assert len(notes) >= len(report["claims"])
    quotes = {" ".join(piece["quote"].split()) for piece in report["evidence"]}
    shown = [text for note in notes for text in note.xpath(".//q/text()")]
    assert (
        sum(text in quotes for text in shown) > len(shown) / 2
    )  # the others are lists and tables without marks
    assert tree.xpath("//*[@class='around']")


def test_a_pdf_is_printed(finished):
    real_browser()
    research, report = finished
    answer = research("export", report["job"], "--out", "report.pdf")
    assert answer.code == 0, answer.err
    pdf = (research.folder / "report.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert "best hand coffee grinder" in pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()


def test_without_a_browser_a_pdf_is_refused_in_one_line_and_no_file_is_left(finished):
    research, report = finished
    answer = research.having(RESEARCH_BROWSER="off")("export", report["job"], "--out", "none.pdf")
    assert (answer.code, answer.out) == (1, "")
    assert re.fullmatch(
        r"research: a PDF is printed by a browser, and there is none; get one with .+\n", answer.err
    )
    assert not (research.folder / "none.pdf").exists()


def test_a_binary_format_needs_a_file_but_may_go_into_a_pipe(finished):
    research, report = finished
    answer = research("export", report["job"], "--format", "docx")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "research: docx is not text; name a file: --out report.docx\n"
    piped = research.shell(f"research export {report['job']} --format docx --out - | head -c 2")
    assert piped.out == "PK"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "report.xyz"], "its name says no format; end it with .md, .html"),
        (["--out", "nowhere/report.html"], "choose another folder"),
        (["--format", "rtf"], "'rtf' is not one of 'md', 'html'"),
    ],
)
def test_a_target_that_cannot_be_is_bad_usage(research, arguments, words):
    answer = research("export", "jobaaaaaaaaa", *arguments)
    assert answer.code == 2
    assert words in answer.err
    assert len(answer.err.splitlines()) == 1


def test_an_unknown_job_is_told_as_in_other_commands(finished):
    research, _ = finished
    answer, shown = research("export", "nosuchjob"), research("result", "nosuchjob")
    assert (answer.code, answer.err) == (shown.code, shown.err)


def test_a_file_that_is_there_is_replaced_with_the_permissions_of_a_new_file(finished):
    research, report = finished
    path = research.folder / "again.md"
    path.write_text("old")
    research("export", report["job"], "--out", "again.md")
    assert path.read_text() == report["report_markdown"]
    assert stat.S_IMODE(path.stat().st_mode) & 0o111 == 0


@pytest.mark.long
def test_a_run_saves_its_report_below_the_folder_for_reports(new_research, tmp_path):
    (tmp_path / "reports").mkdir()
    research = new_research(tmp_path).having(MCP_RESEARCH_SAVE_DIRECTORY=str(tmp_path / "reports"))
    answer = research("run", GOAL, "--json", "--save-to-file", "coffee/grinders.html")
    assert answer.code == 0, answer.err
    path = tmp_path / "reports" / "coffee" / "grinders.html"
    assert answer.err == f"research: saved as {path}\n"
    assert html.document_fromstring(path.read_bytes()).findtext(".//title") == GOAL


@pytest.mark.parametrize("name", ["../out.md", "/out.md", "", "report.xyz"])
def test_a_name_that_leads_elsewhere_is_refused_before_the_job_starts(research, name):
    answer = research("run", GOAL, "--save-to-file", name)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("research: --save-to-file: ")
    assert not research.home.exists()
