"""Give a model's answer the shape of the class that reads it, where it is clear what was meant.

Small models write one value where a list is asked for, a number where a text is, null for what they leave out, the list
without the object around it, and a word of a choice with a capital. Each of these would lose the whole answer.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

from prompts.answer_shapes import MOST_ID, class_schema

Schema = Mapping[str, Any]
_NOTHING: Final = object()


def shaped(model: type[BaseModel], data: Any) -> Any:
    """The data as the class can read it; what fits nothing, and keys that the class does not know, stay as they are."""
    schema = class_schema(model)
    if isinstance(data, list) and (name := _list_for(schema, data)):
        data = {name: data}
    return _as(data, schema, schema.get("$defs", {})) if isinstance(data, dict) else data


def _list_for(schema: Schema, data: list[Any]) -> str:
    """The field whose list an answer is that is a list itself: the first whose entries have all that they need."""
    defs = schema.get("$defs", {})
    first = next((one for one in data if isinstance(one, dict)), {})
    for name, field in schema["properties"].items():
        items = _resolved(_resolved(field, defs).get("items", {}), defs)
        if items.get("properties") and set(items.get("required", ())) <= first.keys() and first:
            return str(name)
    return ""


def _as(value: Any, schema: Schema, defs: Schema) -> Any:
    schema = _resolved(schema, defs)
    match schema.get("type"):
        case "object" if "properties" in schema:
            return _object(value, schema, defs)
        case "array":
            entries = value if isinstance(value, list) else [value] if value != "" else []
            found = [_as(one, schema["items"], defs) for one in entries if one is not None]
            return [one for one in found if not (one is _NOTHING or _is_stray(one, schema["items"]))]
        case "string":
            return _text(value, schema)
        case "number":
            return value if _is_number(value) else _NOTHING
    return value


def _object(value: Any, schema: Schema, defs: Schema) -> Any:
    fields, needed = schema["properties"], schema.get("required", [])
    if isinstance(value, str) and len(needed) == 1:
        value = {needed[0]: value}
    if not isinstance(value, dict):
        return value
    found = {}
    for name, one in value.items():
        own = one if name not in fields else _NOTHING if one is None else _as(one, fields[name], defs)
        if own is not _NOTHING:
            found[name] = own
    return found


def _text(value: Any, schema: Schema) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    words = schema.get("enum", [])
    if not words or not isinstance(value, str) or value in words:
        return value
    plain = "_".join(value.replace("-", " ").replace("_", " ").casefold().split())
    return plain if plain in words else _NOTHING


def _is_stray(value: Any, schema: Schema) -> bool:
    """Whether a text among others is a number alone, which only an id may be."""
    is_id = "kind" in schema or schema.get("most") == [MOST_ID]
    return isinstance(value, str) and not is_id and value.isdigit() and schema.get("type") == "string"


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _resolved(schema: Schema, defs: Schema) -> Schema:
    """A schema with what it refers to, and the first of several that are no null."""
    if "$ref" in schema:
        return _resolved(defs[schema["$ref"].rsplit("/", 1)[-1]], defs)
    if "anyOf" in schema:
        return _resolved(schema["anyOf"][0], defs)
    return schema
