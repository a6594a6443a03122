"""What holds for the options of all commands together."""

from collections.abc import Iterator

import click
import pytest

from research_crawler.cli.main import research
from research_crawler.cli.options.job_options import job_options, question_of_options
from research_crawler.cli.options.option_values import Day
from research_crawler.cli.web import intervention_commands as interventions
from research_crawler.core.errors import UsageError
from research_crawler.services.interventions.intervention_answers import InterventionAnswer
from tests.cases import each_case


def commands(group: click.Group, name: str) -> Iterator[tuple[click.Context, click.Command]]:
    """All commands below a group."""
    context = click.Context(group, info_name=name)
    for part in group.list_commands(context):
        command = group.get_command(context, part)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {part}")
        else:
            yield click.Context(command, info_name=f"{name} {part}"), command


def asked(*options: str):
    """The question that a command with these options asks."""
    heard = []

    @click.command()
    @job_options
    def ask(**given):
        heard.append(given)

    ask.main(list(options), standalone_mode=False)
    return question_of_options("heat pumps", heard[0])


def test_no_option_refuses_the_value_that_it_has_when_nobody_gives_one():
    seen = 0
    for context, command in commands(research, "research"):
        for option in command.params:
            default = option.default
            if isinstance(default, str | int | float) and not isinstance(default, bool):
                option.type_cast_value(context, default)
                seen += 1
    assert seen > 50


def test_every_amount_that_the_options_of_a_job_allow_is_one_that_a_job_may_have():
    for option in _ranges():
        for amount in (option.type.min, option.type.max):
            if amount is not None and not option.type.min_open:
                asked(option.opts[0], str(amount))


def _ranges() -> list[click.Option]:
    @click.command()
    @job_options
    def ask(**_):
        """Has the options."""

    found = [option for option in ask.params if isinstance(option.type, click.IntRange | click.FloatRange)]
    assert len(found) >= 6
    return found


def test_a_value_that_only_the_question_refuses_is_told_in_one_line():
    with pytest.raises(UsageError) as caught:
        asked(*(part for n in range(30) for part in ("--notify", f"https://hooks.example/{n}")))
    assert str(caught.value).startswith("--notify: ")
    assert "\n" not in str(caught.value)


@each_case("text", ["tomorrow", "2024-02-30", "17.5.2024", ""])
def test_what_is_no_day_is_refused_in_plain_words(text):
    with pytest.raises(click.BadParameter, match="is not a day; write it as 2024-05-17"):
        Day().convert(text, None, None)


@pytest.mark.parametrize(
    ("pages", "shown"), [(0, "0 pages go on"), (1, "1 page goes on"), (2, "2 pages go on")]
)
def test_an_answered_wall_counts_its_pages_in_words(capsys, pages, shown):
    interventions._print(InterventionAnswer(id="7c", state="done", pages=pages), as_json=False)
    assert capsys.readouterr().out.strip() == f"7c done: {shown}"
