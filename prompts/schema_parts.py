"""The parts that JSON schemas of answers are made of: closed objects, lists and texts with limits."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from research_crawler.core.models.reports.cited_parts import Form

MOST_CODE: Final = 1_200
"""Most characters of the commands or settings that are shown below a sentence."""
MOST_ID: Final = 8
"""Characters of an id."""
MOST_IDS: Final = 12
"""Most evidence ids of a sentence: a table's row or a sum of what many pages say rests on more than a few."""


def closed_object(fields: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """An object with these fields, all of them required, with the optional ones, and no others."""
    return {
        "type": "object",
        "properties": {**fields, **(optional or {})},
        "required": list(fields),
        "additionalProperties": False,
    }


def array(items: Mapping[str, Any], most: int, *, least: int = 0) -> dict[str, Any]:
    """A list of at least and at most so many items."""
    return {"type": "array", "items": dict(items), "minItems": least, "maxItems": most}


def choice(values: Sequence[str]) -> dict[str, Any]:
    """One of these values; without any, an id: a schema lists them once, and its reader drops unknown ones."""
    return {"type": "string", "enum": list(values)} if values else text(MOST_ID)


def text(most: int, *, least: int = 0) -> dict[str, Any]:
    """A text of at least and at most so many characters."""
    return {"type": "string", "maxLength": most} | ({"minLength": least} if least else {})


def cited_sentence(ids: Sequence[str], most_chars: int, *, has_form: bool = False) -> dict[str, Any]:
    """A sentence with the ids of its evidence; `has_form`: also what it is, and the code that is shown below it."""
    fields = {"text": text(most_chars, least=1), "evidence": array(choice(ids), MOST_IDS, least=1)}
    if not has_form:
        return closed_object(fields)
    return closed_object({"form": choice(get_args(Form)), **fields, "code": text(MOST_CODE)})
