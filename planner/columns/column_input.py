"""Read the columns that a caller gives: JSON Schema, or lines of the form `name: type, question`."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final

from research_crawler.core.errors import SchemaError
from research_crawler.core.models.jobs.columns import COLUMN_TYPES, ColumnSpec, ColumnType

MOST_ASKED_COLUMNS: Final = 16
"""Most columns of a job: each is a question of its outline."""
MAX_COLUMN_NAME, MAX_COLUMN_QUESTION, MOST_CHOICES = 60, 150, 30
MAX_SCHEMA_BYTES: Final = 20_000
_NAMES: Final[Mapping[str, ColumnType]] = {
    "text": "text", "string": "text",
    "number": "number", "integer": "number", "float": "number",
    "money": "money", "price": "money", "amount": "money",
    "date": "date", "day": "date", "year": "date",
    "yes/no": "yes_no", "yes-no": "yes_no", "yes_no": "yes_no", "bool": "yes_no", "boolean": "yes_no",
    "one of": "choice", "one-of": "choice", "choice": "choice", "enum": "choice",
    "url": "url", "link": "url", "website": "url",
    "email": "email", "e-mail": "email", "mail": "email",
}  # fmt: skip
"""The words for a type, of which the longest at the beginning of a line's text is meant."""
_TYPE: Final = re.compile(
    rf"({'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})(?![\w/])", re.I
)
_UNIT: Final = re.compile(r"\s*(?:\(([^()]{1,30})\)|\b(?:in|of)\s+([^\s,;:()]{1,30}))")
_CHOICES: Final = re.compile(r"\s*(?:\(([^()]*)\)|\[([^\[\]]*)\])")
_SEPARATOR: Final = re.compile(r"\s*(?:[,;:]|-|–|—)?\s*")
_FORMATS: Final[Mapping[str, ColumnType]] = {
    "date": "date", "date-time": "date", "uri": "url", "url": "url", "email": "email",
    "money": "money", "price": "money",
}  # fmt: skip


def given_columns(text: str) -> list[ColumnSpec]:
    """The columns that a text gives.

    Raises:
        SchemaError: it cannot be read, or a type is unknown; it says which column.
    """
    if len(text.encode(errors="surrogatepass")) > MAX_SCHEMA_BYTES:
        raise SchemaError(f"they are longer than {MAX_SCHEMA_BYTES:,} bytes")
    bare = text.removeprefix("\ufeff").strip()
    columns = _of_schema(bare) if bare.startswith("{") else _of_lines(text.removeprefix("\ufeff"))
    if not columns:
        raise SchemaError("there is none")
    _check_number(columns)
    return columns


def check_columns(columns: Sequence[ColumnSpec]) -> None:
    """Check columns that a program gives, as `given_columns` does those of a text.

    Raises:
        SchemaError: there are too many, or no question can be made of one; it says of which.
    """
    _check_number(columns)
    for place, column in enumerate(columns):
        if (name := _name(column.name, columns[:place])) != column.name:
            raise SchemaError(f"write its name as {name!r}", column.name[:MAX_COLUMN_NAME])
        _checked(column)


def _check_number(columns: Sequence[ColumnSpec]) -> None:
    if len(columns) > MOST_ASKED_COLUMNS:
        raise SchemaError(
            f"there are {len(columns)}; at most {MOST_ASKED_COLUMNS} are allowed",
            columns[MOST_ASKED_COLUMNS].name[:MAX_COLUMN_NAME],
        )


def _of_lines(text: str) -> list[ColumnSpec]:
    columns: list[ColumnSpec] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip().removeprefix("- ").strip()
        if not line or line.startswith("#"):
            continue
        name, colon, rest = line.partition(":")
        if not colon:
            raise SchemaError("the line is not `name: type, question`", name[:MAX_COLUMN_NAME], number)
        columns.append(_checked(_of_line(_name(name, columns, number), rest.strip(), number), number))
    return columns


def _of_line(name: str, rest: str, line: int) -> ColumnSpec:
    found = _TYPE.match(rest)
    if not found:
        word = re.split(r"[\s,;:(]", rest, maxsplit=1)[0]
        raise SchemaError(_unknown(word) if word else "the type is missing", name, line)
    kind = _NAMES[found[1].lower()]
    rest = rest[found.end() :]
    choices, unit = list[str](), ""
    if kind == "choice":
        listed = _CHOICES.match(rest)
        if not listed:
            raise SchemaError("write the choices in brackets: one of (small, large)", name, line)
        choices = [choice.strip() for choice in re.split(r"[,|;]", listed[1] or listed[2] or "")]
        rest = rest[listed.end() :]
    elif kind in ("number", "money") and (named := _UNIT.match(rest)):
        unit, rest = (named[1] or named[2]).strip(), rest[named.end() :]
    opening = _SEPARATOR.match(rest)
    return ColumnSpec(
        name=name,
        type=kind,
        question=rest[opening.end() if opening else 0 :].strip(),
        choices=choices,
        unit=unit,
    )


def _of_schema(text: str) -> list[ColumnSpec]:
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"this is no JSON: {error}") from None
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        raise SchemaError("the JSON schema has no properties")
    columns: list[ColumnSpec] = []
    for name, value in properties.items():
        if not isinstance(value, dict):
            raise SchemaError("its schema must be an object", str(name))
        columns.append(_checked(_of_property(_name(name, columns), value)))
    return columns


def _of_property(name: str, value: Mapping[str, Any]) -> ColumnSpec:
    choices = value.get("enum") or ([value["const"]] if "const" in value else [])
    kind = _type_of_property(name, value, choices)
    if not isinstance(choices, list) or not all(
        isinstance(choice, str) for choice in choices if choice is not None
    ):
        raise SchemaError("enum must be a list of texts", name)
    texts = {key: value.get(key, "") for key in ("description", "title", "unit", "x-unit", "currency")}
    if wrong := next((key for key, one in texts.items() if not isinstance(one, str)), ""):
        raise SchemaError(f"{wrong} must be a text", name)
    return ColumnSpec(
        name=name,
        type=kind,
        question=" ".join((texts["description"] or texts["title"]).split()),
        choices=[choice for choice in choices if choice is not None] if kind == "choice" else [],
        unit=texts["unit"] or texts["x-unit"] or texts["currency"],
    )


def _type_of_property(name: str, value: Mapping[str, Any], choices: object) -> ColumnType:
    types = value.get("type", "string")
    named = [one for one in (types if isinstance(types, list) else [types]) if one != "null"]
    form = str(value.get("format", "")).lower()
    if choices:
        return "choice"
    if form in _FORMATS:
        return _FORMATS[form]
    kind = str(named[0]).lower() if len(named) == 1 else ""
    if kind in _NAMES and kind not in ("year", "day"):
        return "money" if _NAMES[kind] == "number" and value.get("currency") else _NAMES[kind]
    raise SchemaError(_unknown(str(types) if kind == "" else kind), name)


def _unknown(kind: str) -> str:
    known = ", ".join(
        name.replace("yes_no", "yes/no").replace("choice", "one of (…)") for name in COLUMN_TYPES
    )
    return f"there is no type {kind!r}; known: {known}"


def _name(name: object, before: Sequence[ColumnSpec], line: int = 0) -> str:
    text = " ".join(str(name).split()).strip("\"'")
    if not text:
        raise SchemaError("it has no name", "", line)
    if len(text) > MAX_COLUMN_NAME:
        raise SchemaError(
            f"the name has more than {MAX_COLUMN_NAME} characters", text[:MAX_COLUMN_NAME], line
        )
    if any(text.casefold() == column.name.casefold() for column in before):
        raise SchemaError("the name is given twice", text, line)
    return text


def _checked(column: ColumnSpec, line: int = 0) -> ColumnSpec:
    """The column; refused if no question can be made of its texts."""
    texts = [column.name, column.question, column.unit, *column.choices]
    if any(unicodedata.category(char) in ("Cc", "Cs") for text in texts for char in text):
        raise SchemaError("it has control characters", column.name, line)
    if len(column.question) > MAX_COLUMN_QUESTION:
        raise SchemaError(f"the question has more than {MAX_COLUMN_QUESTION} characters", column.name, line)
    if column.type == "choice":
        folded = {choice.casefold() for choice in column.choices}
        if not 2 <= len(column.choices) <= MOST_CHOICES or "" in folded or len(folded) < len(column.choices):
            raise SchemaError(f"give 2 to {MOST_CHOICES} different choices", column.name, line)
    if not any(char.isalnum() for char in column.asks):
        raise SchemaError("the name has no letter and no digit, and there is no question", column.name, line)
    return column
