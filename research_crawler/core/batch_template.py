"""The question of a batch's rows: a text with the names of fields in braces, which each row fills."""

import difflib
import re
import string
from collections.abc import Mapping, Sequence
from typing import Final

from research_crawler.core.errors import RowError
from research_crawler.core.text.translatable import translatable

GOAL_FIELDS: Final = ("goal", "question", "topic", "query")
"""A column with one of these names is the question, if no template is given."""
_FIELD: Final = re.compile(r"\{([^{}]*)\}")


def default_template(fields: Sequence[str]) -> str:
    """The template of an input without one: its column with the question, or its only column.

    Raises:
        RowError: it has several columns, and none has such a name.
    """
    named = next((name for known in GOAL_FIELDS for name in fields if name.strip().lower() == known), "")
    if not named and len(fields) == 1:
        named = fields[0]
    if not named:
        raise RowError(
            translatable(
                "the question is not known: give a template such as '{%(name)s}: what does it cost?', or name a column "
                "%(column)s",
                name=fields[0] if fields else "name",
                column=GOAL_FIELDS[0],
            )
        )
    return "{" + named + "}"


def template_fields(template: str, known: Sequence[str]) -> list[str]:
    """The fields that a template uses, each once, in order.

    Raises:
        RowError: a brace is not closed, or a field is not a column of the input.
    """
    used: list[str] = []
    for name, spec, conversion in _parsed(template):
        if spec or conversion:
            raise RowError(
                translatable("the template: {%(name)s} must be a name alone, without ':' or '!'", name=name)
            )
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = translatable("did you mean {%(name)s}? ", name=near[0]) if near else ""
            raise RowError(
                translatable(
                    "the template uses {%(name)s}, and the input has only %(known)s. %(meant)s"
                    "A brace that is text is written twice",
                    name=name,
                    known=", ".join(known) or translatable("no column"),
                    meant=meant,
                )
            )
        if name not in used:
            used.append(name)
    return used


def filled(template: str, fields: Mapping[str, str]) -> str:
    """The template with a row's fields in their places, in one line."""
    parts = [
        literal + ("" if name is None else fields.get(name, ""))
        for literal, name, _, _ in string.Formatter().parse(template)
    ]
    return " ".join("".join(parts).split())


def without_braces(template: str, field: str = "…") -> str:
    """The template as people read it: each field as `field` says, `{}` in it standing for the name."""
    return _FIELD.sub(lambda found: field.format(found[1]), template)


def _parsed(template: str) -> list[tuple[str, str, str]]:
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError:
        raise RowError(
            translatable(
                "the template: a brace is not opened or not closed; write %(opened)s and %(closed)s for a brace that "
                "is text",
                opened="{{",
                closed="}}",
            )
        ) from None
    return [(name, spec or "", conversion or "") for _, name, spec, conversion in parsed if name is not None]
