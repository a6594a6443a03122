"""A JSON schema as text, for endpoints that take no schema with a request."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

_ID: Final = re.compile(r"[A-Z]\d+|none")


def as_text(schema: Mapping[str, Any]) -> str:
    """A schema as JSON for a prompt: lists of ids are left out, for the ids stand in the prompt already."""
    return json.dumps(_without_ids(schema), ensure_ascii=False)


def _without_ids(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_ids(one) for one in part]
    if not isinstance(part, dict):
        return part
    choices = part.get("enum")
    if isinstance(choices, list) and len(choices) > 1 and all(_ID.fullmatch(str(one)) for one in choices):
        return {"type": part.get("type", "string"), "description": f"an id shown above: {choices[0]} …"}
    return {key: _without_ids(value) for key, value in part.items()}
