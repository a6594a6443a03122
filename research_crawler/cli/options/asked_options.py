"""Options of the command line that are fields of the question which every interface takes."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import click

from research_crawler.cli.options.number_options import Number, WholeNumber
from research_crawler.core.models.jobs.questions import JobQuestion


def asked_option(
    flag: str, field: str = "", *, metavar: str | None = None, type_: click.ParamType[Any] | None = None
) -> Callable[..., Any]:
    """An option with the type, the range, the default and the description of a field of `JobQuestion`.

    Args:
        flag: how it is written, `--max-visits`.
        field: the name of the field; empty: that of the flag.
        metavar: what stands for the value in the help.
        type_: reads the value where a text is not enough.
    """
    field = field or flag.removeprefix("--").replace("-", "_")
    declared = _declared()[field]
    value = next((one for one in declared.get("anyOf", ()) if one["type"] != "null"), declared)
    about = " ".join(declared["description"].split())
    if value["type"] == "boolean":
        return click.option(flag, field, is_flag=True, help=about)
    default = None if type_ else declared.get("default")
    kind = type_ or _type_of(value)
    return click.option(flag, field, type=kind, default=default, metavar=metavar, help=about)


@cache
def _declared() -> dict[str, dict[str, Any]]:
    fields: dict[str, dict[str, Any]] = JobQuestion.model_json_schema()["properties"]
    return fields


def _type_of(value: Mapping[str, Any]) -> click.ParamType[Any]:
    if "enum" in value:
        return click.Choice(value["enum"])
    least, above = value.get("minimum"), value.get("exclusiveMinimum")
    match value["type"]:
        case "integer":
            return WholeNumber(least, value.get("maximum"))
        case "number":
            return Number(least if above is None else above, value.get("maximum"), min_open=above is not None)
    return click.STRING
