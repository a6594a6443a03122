"""Make JSON schemas of the classes that parse answers: a class says once what a model may write, and how much of it.

The sizes are for the schema alone: an answer that is longer is read all the same.
"""

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

MOST_ID: Final = 8
"""Characters of an id."""
_TENTHS: Final = [n / 10 for n in range(11)]

Size = int | str
"""A number, or the name of one of the `Bounds`."""


class Bounds(BaseModel):
    """How long answers may be: without these limits, a small model writes up to its token limit."""

    model_config = ConfigDict(frozen=True)

    items: int = 10
    """Most entries of an array."""
    text_chars: int = 600
    """Most characters of a quote, sentence or paragraph."""
    short_chars: int = 300
    """Most characters of a reason, claim or query."""
    reasons: bool = True
    """Whether the scorer explains each score, and the planner may name providers."""


def chars(most: Size, *, least: int = 0) -> Any:
    """For a text: the most and the least characters that a model is to write."""
    return Field(json_schema_extra={"most": [most], "least": least})


def list_bounds(*most: Size, least: int = 0) -> Any:
    """For a list: the most entries, which is the smallest of these sizes, and the least."""
    return Field(json_schema_extra={"most": list(most), "least": least})


def one_of(kind: str) -> Any:
    """For a text: one of the ids or words of this kind, which are known when the model is asked."""
    return Field(json_schema_extra={"kind": kind})


@dataclass(frozen=True, kw_only=True)
class SchemaLimits:
    """What differs from call to call. A path names a field by its names from the top, with dots between them."""

    bounds: Bounds
    ids: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Which ids or words may be written, by kind. A kind that is not named takes any id."""
    unlisted: Collection[str] = ()
    """Paths below which ids are not listed: a schema lists them once, and its reader drops unknown ones."""
    drop: Collection[str] = ()
    """Paths of fields that the model is not asked for."""
    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The least and the most entries of lists, by path, where they are not those of the class."""


def schema_of(
    model: type[BaseModel], asked: SchemaLimits, *, optional: Collection[str] = ()
) -> dict[str, Any]:
    """The schema of an answer: closed, without references, with all fields required but the optional ones."""
    whole = class_schema(model)
    return _object(whole, whole.get("$defs", {}), asked, "", optional)


def closed_object(fields: Mapping[str, Any], optional: Collection[str] = ()) -> dict[str, Any]:
    """An object with these fields and no others, all of them required but the optional ones."""
    return {
        "type": "object",
        "properties": dict(fields),
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def array(items: Mapping[str, Any], least: int, most: int) -> dict[str, Any]:
    """A list of at least and at most so many items."""
    return {"type": "array", "items": dict(items), "minItems": least, "maxItems": most}


@functools.cache
def class_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model as pydantic has it, which takes 3 ms to make; nobody changes it."""
    return model.model_json_schema()


def _object(
    value: Mapping[str, Any],
    defs: Mapping[str, Any],
    asked: SchemaLimits,
    path: str,
    optional: Collection[str] = (),
) -> dict[str, Any]:
    paths = {name: f"{path}.{name}".lstrip(".") for name in value["properties"]}
    fields = {
        name: _part(value["properties"][name], defs, asked, at)
        for name, at in paths.items()
        if at not in asked.drop
    }
    return closed_object(fields, optional)


def _part(
    value: Mapping[str, Any], defs: Mapping[str, Any], asked: SchemaLimits, path: str
) -> dict[str, Any]:
    """A field, with references resolved, and sizes and ids as they are in this call."""
    if "$ref" in value:
        return _part({**defs[value["$ref"].rsplit("/", 1)[-1]], **_own(value)}, defs, asked, path)
    if "anyOf" in value:
        return _part({**value["anyOf"][0], **_own(value)}, defs, asked, path)
    match value["type"]:
        case "object":
            return _object(value, defs, asked, path)
        case "array":
            least, most = asked.counts.get(path) or (value["least"], _size(value, asked.bounds))
            return array(_part(value["items"], defs, asked, path), least, most)
        case "number":
            return {"type": "number", "enum": _TENTHS}
        case "string":
            return _text(value, asked, path)
    return {"type": value["type"]}


def _own(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in value.items() if key in ("most", "least", "kind")}


def _text(value: Mapping[str, Any], asked: SchemaLimits, path: str) -> dict[str, Any]:
    is_listed = not any(path.startswith(above) for above in asked.unlisted)
    words = asked.ids.get(value.get("kind", "")) if is_listed else ()
    if words := words or value.get("enum"):
        return {"type": "string", "enum": list(words)}
    most, least = _size(value, asked.bounds), value.get("least", 0)
    return {"type": "string", "maxLength": most} | ({"minLength": least} if least else {})


def _size(value: Mapping[str, Any], bounds: Bounds) -> int:
    sizes: Sequence[Size] = value.get("most", [MOST_ID])
    return min(size if isinstance(size, int) else int(getattr(bounds, size)) for size in sizes)


def complete_entries(value: Any, *needed: str) -> Any:
    """The entries that have all needed keys; an answer that is cut off within an entry loses only that one."""
    if not isinstance(value, list):
        return [] if value is None else value
    return [
        entry
        for entry in value
        if isinstance(entry, dict) and all(entry.get(key) not in (None, "") for key in needed)
    ]
