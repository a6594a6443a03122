"""The help, and the messages for mistyped commands and options."""

import pytest

from research_crawler.cli.main import main
from tests.cases import each_case


def test_help_lists_the_commands(research):
    answer = research("--help")
    assert answer.code == 0
    for name in (
        "run",
        "demo",
        "submit",
        "status",
        "result",
        "cancel",
        "list",
        "up",
        "page",
        "search",
        "doctor",
    ):
        assert f"  {name} " in answer.out


def test_without_a_command_the_help_is_shown_and_the_exit_code_is_two(research):
    answer = research()
    assert answer.code == 2
    assert "research demo" in answer.out + answer.err


@each_case(
    ("arguments", "hint"),
    [
        (["rnu", "x"], "did you mean `research run`?"),
        (["xyzzy"], "`research --help` lists the commands"),
        (["run", "x", "--max-serches", "1"], "--max-searches"),
        (["run", "x", "--max-words", "10"], "10 is not in the range 50<=x<=5000"),
        (
            ["run", "x", "--with", "trends,horoscope"],
            "--with: there is no part 'horoscope'; choose from trends",
        ),
        (["run", "x", "--type", "sports"], "'general', 'news', 'technical'"),
        (["run", "x", "--max-attempts", "0"], "0 is not in the range 1<=x<=20"),
        (["run", "x", "--stack", "y" * 200], "the stack is longer than 120 characters (got 200)"),
        (["run", "x", "--max-searches", "many"], "'many' is not a valid whole number"),
        (["run", "x", "--intent", "shopping"], "'informational', 'commerce'"),
        (["run"], "give a GOAL, --from JOB, or --resume JOB"),
        (["run", "x", "--resume", "y"], "give a GOAL, --from JOB, or --resume JOB"),
        (["run", "--resume", "--plain"], "--resume needs a value (--resume JOB), but --plain follows"),
        (["memory", "search", "x", "--host", "--json"], "--host needs a value"),
        (["status"], "missing argument 'JOB'"),
        (["search", "  "], "the query is empty"),
        (["run", "   "], "the goal is empty; say what to research"),
        (["run", "x", "--url", "ftp://example.com/"], "'ftp://example.com/' is not an http(s) URL"),
        (["submit", "x", "--region", "ZZ"], "not a country code"),
        (["submit", "x", "--region", "EU"], "not a country code"),
        (["submit", "x", "--lang", "xx"], "not a language code"),
        (["submit", "x", "--currency", "XYZ"], "not a currency code"),
        (["watch", "add", "x", "--region", "ZZ"], "not a country code"),
        (["page", "no-such-file.html"], "no such file (a URL starts with http:// or https://)"),
    ],
)
def test_a_typing_error_gets_one_line_with_a_hint_and_exit_code_two(
    research, arguments, hint, monkeypatch, capfd
):
    for name, value in research.settings.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capfd.readouterr()
    assert ended.value.code == 2
    assert out == ""
    assert hint in err
    assert err.startswith("research: ")
    assert len(err.splitlines()) == 1
    assert not research.home.exists()


def test_an_out_folder_that_is_a_file_is_refused(research):
    (research.folder / "taken").write_text("")
    answer = research("run", "x", "--out", "taken")
    assert answer.code == 2
    assert len(answer.err.splitlines()) == 1
    assert "taken" in answer.err


def test_an_out_folder_below_a_file_is_refused(research):
    (research.folder / "taken").write_text("")
    answer = research("submit", "x", "--out", "taken/below")
    assert answer.code == 2
    assert "choose another folder" in answer.err
