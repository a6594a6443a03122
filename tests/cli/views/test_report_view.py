"""Reports on a terminal."""

import io

from research_crawler.cli.views.report_view import THEME, markdown_view, terminal_report
from research_crawler.cli.views.terminal import SafeConsole
from research_crawler.text.writing.markdown import escape_markdown
from tests.cases import each_case
from tests.services.exports.samples import HOSTILE, manuscript_with


def seen(view, columns=90, *, colours=False):
    file = io.StringIO()
    console = SafeConsole(file=file, width=columns, highlight=False, force_terminal=colours)
    with console.use_theme(THEME):
        console.print(view)
    return file.getvalue()


def test_a_report_is_read_without_a_trace_of_markdown():
    report = manuscript_with().report
    text = seen(terminal_report(report, language="en"))
    lines = text.splitlines()
    assert lines[0].strip() == report.goal.strip()
    assert not any(line.startswith("#") for line in lines)
    assert not any(mark in text for mark in ("**", "|---", "\\[", "\\:"))
    assert "Key Sources" in text
    for source in report.sources:
        assert f"[{source.n}] {source.title[:30]}" in text
        assert source.url[:60] in text


def test_the_marks_of_citations_stand_out_and_those_that_pages_wrote_do_not():
    report = manuscript_with("as \\[1\\] says").report
    text = seen(terminal_report(report, language="en"), colours=True)
    assert "\x1b[36m[1]\x1b[0m" in text


def test_an_address_that_a_page_wrote_is_shown_as_it_wrote_it():
    text = seen(markdown_view(f"# Record\n\n- see {escape_markdown('http://a.example/x_y_z and *this*')}"))
    assert "http://a.example/x_y_z and *this*" in text


@each_case("columns", [40, 90])
@each_case("text", HOSTILE[:9])
@each_case("of", ["pumps", "laptops"])
def test_no_text_of_others_commands_the_terminal_or_is_wider_than_it(text, of, columns):
    report = manuscript_with(text, of=of).report
    shown = seen(terminal_report(report, language="de"), columns)
    assert "\x1b" not in shown
    assert "\x07" not in shown
