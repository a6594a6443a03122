"""What commands print: text from the web never commands the terminal."""

import ast
import inspect
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

import research_crawler.cli as package
from research_crawler.cli import session
from research_crawler.cli.session import echo, echo_err, echo_json
from research_crawler.cli.views.terminal import SafeConsole
from research_crawler.core.text.plain_text import clean, escaped_json

HOSTILE = "a\x1b]8;;https://evil.example\x07b\x1b[2J\x9b31m\u202ec\rd\x00"
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
PRINTS = ("print", "secho", "echo_via_pager", "clear", "pause")
OWN_SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")


def _name(node):
    return ast.unparse(node.func)


def _direct_prints(tree):
    """Calls that print without the functions of `session` and without `SafeConsole`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = _name(node)
        last = name.rpartition(".")[2]
        if (
            name in ("click.echo", "Console", "print", "typer.echo", "Live", "os.write")
            or (last in PRINTS and name.startswith(("click.", "rich.")))
            or name.startswith(("sys.stdout.write", "sys.stderr.write"))
        ):
            yield node


def test_no_command_prints_past_the_function_that_cleans():
    found = []
    for path in sorted(Path(inspect.getfile(package)).parent.glob("*.py")):
        for call in _direct_prints(ast.parse(path.read_text("utf-8"))):
            found.append(f"{path.name}: {ast.unparse(call)}")
    live = [
        line for line in found if line.startswith("progress.py: Live(") and "console=self._console" in line
    ]
    allowed = {
        "session.py: click.echo(text, nl=False, err=err)",
        "session.py: click.echo(f'research: {clean(message)}', err=True)",
        "session.py: sys.stderr.write(SHOW_CURSOR)",
        "session.py: os.write(2, text.encode())",  # its own words, from a signal handler
        "main.py: click.echo('research: interrupted', err=True)",
        *live,
    }
    assert set(found) <= allowed
    assert set(inspect.signature(session.write).parameters) == {"text", "err"}


@pytest.mark.parametrize("print_", [echo, echo_err, lambda text: echo(text, err=True)])
def test_printed_text_holds_no_command_for_the_terminal(print_, capsys):
    print_(HOSTILE)
    shown = "".join(capsys.readouterr())
    assert "]8;;https://evil.example" in shown
    assert clean(shown) == shown


@given(ANY_TEXT)
def test_json_is_printed_safely_and_unchanged(text):
    document = json.dumps({"a": text}, ensure_ascii=False)
    shown = escaped_json(document)
    assert clean(shown) == shown
    assert json.loads(shown) == {"a": text}


def test_json_goes_out_as_escape_sequences(capsys):
    echo_json(json.dumps(HOSTILE, ensure_ascii=False))
    assert json.loads(capsys.readouterr().out) == HOSTILE


def rendered(renderable):
    out = io.StringIO()
    console = SafeConsole(file=out, force_terminal=True, color_system="truecolor", width=60)
    console.print(renderable)
    return out.getvalue()


def _table(text):
    grid = Table.grid()
    grid.add_row(Text(text, style="bold"), text)
    return grid


@pytest.mark.parametrize("form", [str, Text, Markdown, _table])
@given(ANY_TEXT)
def test_a_console_shows_only_its_own_styles(form, text):
    shown = OWN_SEQUENCE.sub(
        "", rendered(form(f"x {text} {HOSTILE}" if form is not str else Text(text + HOSTILE)))
    )
    assert clean(shown) == shown


def test_a_console_still_moves_the_cursor():
    out = io.StringIO()
    console = SafeConsole(file=out, force_terminal=True)
    console.show_cursor(False)
    assert "\x1b[?25l" in out.getvalue()
    assert isinstance(console, Console)


@pytest.mark.long
def test_a_saved_page_with_escape_sequences_prints_none(research, tmp_path):
    saved = tmp_path / "page.html"
    saved.write_text(
        "<html><head><title>T&#27;]0;owned&#7;</title></head><body><article>"
        "<p>The bridge is long &#27;]8;;https://evil.example&#7;and&#x9b;31m old &#x202e;sdrawkcab, they say.</p>"
        "</article></body></html>"
    )
    for arguments in (("page", saved), ("page", "--json", saved)):
        answer = research(*arguments)
        assert answer.code == 0, answer.err
        assert "The bridge is long" in answer.out
        for shown in (answer.out, answer.err):
            assert clean(shown) == shown


def test_a_mistyped_argument_with_escape_sequences_prints_none(research):
    answer = research("page", "--\x1b]0;owned\x07")
    assert answer.code == 2
    assert "\x1b" not in answer.err
