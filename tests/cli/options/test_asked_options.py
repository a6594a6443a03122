"""The options of a job are the fields of the question that every interface takes."""

import click
import pytest

from research_crawler.cli.jobs.run import run
from research_crawler.core.models.jobs.caller_question import JobQuestion
from tests.cases import each_case

OPTIONS = {option.name: option for option in run.params if isinstance(option, click.Option)}
OTHERWISE = {"goal": "goal", "columns": "schema", "memory": "no_memory"}
"""Fields that are no option of their name: an argument, the file of --schema, and a flag for the opposite."""


def test_every_field_of_a_question_can_be_given_on_the_command_line():
    names = {OTHERWISE.get(name, name) for name in JobQuestion.model_fields}
    assert names <= OPTIONS.keys() | {"goal"}


@each_case("name", ["max_searches", "max_words", "timeout_seconds", "max_usd", "vendors"])
def test_an_option_has_the_range_of_the_field(name):
    declared = next(
        part
        for part in JobQuestion.model_json_schema()["properties"][name]["anyOf"]
        if part["type"] != "null"
    )
    option = OPTIONS[name]
    assert option.help == " ".join(JobQuestion.model_fields[name].description.split())
    with click.Context(run) as context, pytest.raises(click.BadParameter):
        option.type.convert(str(declared["maximum"] + 1), option, context)
    with click.Context(run) as context, pytest.raises(click.BadParameter):
        option.type.convert(str(declared.get("minimum", 0) - 1), option, context)
    with click.Context(run) as context:
        assert option.type.convert(str(declared["maximum"]), option, context) == declared["maximum"]
