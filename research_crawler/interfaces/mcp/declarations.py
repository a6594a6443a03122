"""What clients are told of the tools: everything that a model needs to call them, in few tokens.

Every client puts the declarations of all tools into its model's context, at each turn. Titles that pydantic makes of
names, and the shapes of answers, tell a model nothing that it does not see in the answer itself.
"""

import difflib
from collections.abc import Collection, Mapping
from typing import Any

from mcp_types import Tool


def declared(tool: Tool) -> Tool:
    """The declaration of a tool as clients get it."""
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=_compact(tool.input_schema),
        annotations=tool.annotations,
    )


def unknown_arguments(tool: str, given: Collection[str], known: Collection[str]) -> str:
    """Which of these arguments the tool does not have, each with the nearest name that it has; "" if it has all."""
    strange = [name for name in given if name not in known]
    if not strange:
        return ""
    told = [_with_nearest(name, known) for name in strange]
    return f"{tool} has no argument {', '.join(told)}; it has {', '.join(known)}. Nothing was done"


def _with_nearest(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"{name[:40]!r} (did you mean {near[0]}?)" if near else f"{name[:40]!r}"


def _compact(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without titles of its parts, and without what says that an argument may be left out twice.

    An argument whose default is null or empty is optional: its type alone is declared. A property that is called
    `title` stays.
    """
    kept = {key: value for key, value in schema.items() if key != "title"}
    if kept.get("default", "") in (None, ""):
        kept.pop("default", None)
    if len(types := [part for part in kept.get("anyOf", ()) if part != {"type": "null"}]) == 1:
        kept = types[0] | {key: value for key, value in kept.items() if key != "anyOf"}
    return {
        key: {name: _compact(part) for name, part in value.items()} if key == "properties" else _inner(value)
        for key, value in kept.items()
    }


def _inner(value: Any) -> Any:
    return _compact(value) if isinstance(value, Mapping) else value
