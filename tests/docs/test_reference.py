"""The reference pages are made from the code, and nothing of the code is missing there."""

import re
from importlib import resources
from pathlib import Path

import click
import pytest

from research_crawler import frontier
from research_crawler.cli.exit_codes import WAITS_FOR_ANSWER
from research_crawler.cli.main import research
from research_crawler.cli.session import BAD_USAGE, FAILED, INTERRUPTED
from research_crawler.configuration import SystemConfig
from research_crawler.core.config import setting_names
from research_crawler.core.models.messages.commands import SearchCommand, VisitCommand
from research_crawler.core.models.messages.events import CommandDone, PersonAnswered
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.reports.report import EVIDENCE_INSUFFICIENT
from research_crawler.frontier.keys import Keys
from scripts.reference.commands import all_commands, commands_page, exit_codes
from scripts.reference.constants import all_constants
from scripts.reference.kept import KEPT_PAGES
from scripts.reference.keys import key_map, keys_page, scripts
from scripts.reference.messages import all_models, messages_page
from scripts.reference.modules import ROOT
from scripts.reference.settings import settings_page

DOCS = Path(__file__).parents[2] / "docs"
KEY_IN_LUA = re.compile(r"PREFIX \.\. '(\w+:?)")


def section(page: str, heading: str) -> str:
    """The text from a heading to the next one of its level."""
    return re.split(r"^#+ ", page.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.M)[0]


def beginnings() -> set[str]:
    """The part of each documented key before its first argument: `job:`, `nodes`."""
    return {key.name.partition("<")[0] for key in key_map()}


def test_every_setting_is_listed_with_all_its_environment_names():
    page = settings_page()
    for setting, environment in setting_names(SystemConfig).items():
        row = next(line for line in page.splitlines() if f"| `{setting}` |" in line)
        assert all(f"`{name}`" in row for name in environment), row


def test_every_setting_says_what_it_is_for():
    rows = [line for line in settings_page().splitlines() if line.startswith("| `")]
    assert len(rows) == len(setting_names(SystemConfig))
    assert not [row for row in rows if row.endswith("|  |")]


def test_every_number_of_the_code_has_a_sentence_of_its_own():
    unexplained = [
        f"{constant.module.relative_to(ROOT)}: {constant.names}"
        for constant in all_constants()
        if not (constant.docstring or constant.value)
    ]
    assert not unexplained, "write below each what it limits, weighs or counts"


def test_a_default_that_differs_from_machine_to_machine_is_not_printed(tmp_path, monkeypatch):
    before = settings_page()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert settings_page() == before


def test_every_command_is_listed_with_its_options():
    page = commands_page()
    contexts = list(all_commands())
    assert {context.info_name for context in contexts} >= set(research.list_commands(click.Context(research)))
    for context in contexts:
        text = section(page, context.command_path)
        options = [
            param for param in context.command.params if isinstance(param, click.Option) and not param.hidden
        ]
        assert all(option.opts[0] in text for option in options), context.command_path


def test_every_exit_code_is_explained():
    codes = {
        str(code) for code in (0, FAILED, BAD_USAGE, EVIDENCE_INSUFFICIENT, WAITS_FOR_ANSWER, INTERRUPTED)
    }
    assert set(exit_codes()) == codes
    assert all(exit_codes().values())


def test_every_field_of_commands_events_and_what_they_contain_is_listed():
    page, models = messages_page(), all_models()
    assert {SearchCommand, VisitCommand, CommandDone, PersonAnswered} <= set(models)
    for model in models:
        text = section(page, model.__name__)
        assert all(f"| `{field.alias or name}` |" in text for name, field in model.model_fields.items()), (
            model.__name__
        )


def test_the_docstring_of_a_field_is_its_meaning():
    assert "| `priority` | `int` | `5` | 0 is served first, 9 last. |" in messages_page()


def test_every_reason_is_explained():
    page = messages_page()
    assert all(f"| `{kind}` | " in page for kind in Reason if kind)


def test_every_key_of_the_map_is_listed():
    page = keys_page()
    for key in key_map():
        assert key.kind in {"string", "hash", "list", "set", "zset", "stream", "channel"}
        assert f"| `{key.name}` | {key.kind} |" in page


def test_every_key_that_a_script_uses_is_in_the_map():
    lua = resources.files(frontier) / "lua"
    used = {name for path in lua.iterdir() for name in KEY_IN_LUA.findall(path.read_text("utf-8"))}
    assert len(used) > 20
    assert used <= beginnings()


def test_every_key_that_python_names_is_in_the_map():
    keys = Keys("")
    for name in (one for one in dir(Keys) if not one.startswith("_") and one != "prefix"):
        value = getattr(keys, name)
        text = value("X") if callable(value) else value
        assert text.partition("X")[0] in beginnings(), name


def test_every_script_is_listed_with_what_it_does():
    page = keys_page()
    rows = [line for line in page.splitlines() if re.match(r"\| `\w+` \| \S.* \| .+ \| .+ \|$", line)]
    assert all(any(row.startswith(f"| `{path.name[:-4]}` |") for row in rows) for path in scripts())


def test_the_default_of_every_option_is_one_that_a_user_could_give():
    for context in all_commands():
        for parameter in context.command.params:
            if parameter.to_info_dict()["default"] is not None:
                parameter.type_cast_value(
                    context, parameter.get_default(context)
                )  # raises click.BadParameter


@pytest.mark.parametrize("page", KEPT_PAGES)
def test_a_page_that_is_kept_says_what_the_code_says(page):
    assert (DOCS / page).read_text("utf-8") == KEPT_PAGES[page](), "run: python3 -m scripts.reference"
