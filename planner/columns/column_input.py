"""Read the columns that a caller gives: JSON Schema, or lines of the form `name: type, question`."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from research_crawler.core.errors import SchemaError
from research_crawler.core.models.jobs.columns import COLUMN_TYPES, ColumnSpec, ColumnType
from research_crawler.core.text.translatable import translatable

MOST_ASKED_COLUMNS: Final = 16
"""Most columns of a job: each is a question of its outline."""
MAX_COLUMN_NAME, MAX_COLUMN_QUESTION, MOST_CHOICES = 60, 150, 30
"""Longest name and question of a column in characters, and most choices."""
MAX_SCHEMA_BYTES: Final = 20_000
"""Largest JSON schema of columns."""
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
_FORMATS: Final[Mapping[str, ColumnType]] = {
    "date": "date", "date-time": "date", "uri": "url", "url": "url", "email": "email",
    "money": "money", "price": "money",
}  # fmt: skip
_TYPE: Final = re.compile(
    rf"({'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})(?![\w/])", re.I
)
_UNIT: Final = re.compile(r"\s*(?:\(([^()]{1,30})\)|\b(?:in|of)\s+([^\s,;:()]{1,30}))")
_CHOICES: Final = re.compile(r"\s*(?:\(([^()]*)\)|\[([^\[\]]*)\])")
_SEPARATOR: Final = re.compile(r"\s*(?:[,;:]|-|–|—)?\s*")


def given_columns(text: str) -> list[ColumnSpec]:
    """The columns that a text gives.

    Raises:
        SchemaError: it cannot be read, or a type is unknown; it says which column.
    """
    if len(text.encode(errors="surrogatepass")) > MAX_SCHEMA_BYTES:
        raise SchemaError(f"they are longer than {MAX_SCHEMA_BYTES:,} bytes")
    bare = text.removeprefix("\ufeff")
    columns: list[ColumnSpec] = []
    for line, column in _of_schema(bare) if bare.lstrip().startswith("{") else _of_lines(bare):
        _check(column, columns, line)
        columns.append(column)
    if not columns:
        raise SchemaError("there is none")
    return columns


def check_columns(columns: Sequence[ColumnSpec]) -> None:
    """Check columns that a program gives, as `given_columns` does those of a text.

    Raises:
        SchemaError: there are too many, or no question can be made of one; it says of which.
    """
    for place, column in enumerate(columns):
        if (name := _name(column.name)) != column.name:
            raise SchemaError(f"write its name as {name!r}", column.name[:MAX_COLUMN_NAME])
        _check(column, columns[:place])


def _check(column: ColumnSpec, before: Sequence[ColumnSpec], line: int = 0) -> None:
    """Refuse a column that is one too many, or of whose texts no question can be made."""
    texts = [column.name, column.question, column.unit, *column.choices]
    folded = {choice.casefold() for choice in column.choices}
    is_choice = 2 <= len(column.choices) <= MOST_CHOICES and "" not in folded
    faults = {
        translatable("it has no name"): not column.name,
        translatable("the name has more than %(most)s characters", most=MAX_COLUMN_NAME): (
            len(column.name) > MAX_COLUMN_NAME
        ),
        translatable("the name is given twice"): column.name.casefold() in {one.name.casefold() for one in before},
        translatable("at most %(most)s are allowed", most=MOST_ASKED_COLUMNS): len(before) >= MOST_ASKED_COLUMNS,
        translatable("it has control characters"): any(
            unicodedata.category(char) in ("Cc", "Cs") for char in "".join(texts)
        ),
        translatable("the question has more than %(most)s characters", most=MAX_COLUMN_QUESTION): (
            len(column.question) > MAX_COLUMN_QUESTION
        ),
        translatable("give 2 to %(most)s different choices", most=MOST_CHOICES): column.type == "choice"
        and not (is_choice and len(folded) == len(column.choices)),
        translatable("the name has no letter and no digit, and there is no question"): (
            not any(map(str.isalnum, column.question_text))
        ),
    }  # fmt: skip
    for why, is_so in faults.items():
        if is_so:
            raise SchemaError(why, column.name[:MAX_COLUMN_NAME], line)


def _of_lines(text: str) -> Iterator[tuple[int, ColumnSpec]]:
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip().removeprefix("- ").strip()
        if not line or line.startswith("#"):
            continue
        name, colon, rest = line.partition(":")
        if not colon:
            why = translatable("the line is not `name: type, question`")
            raise SchemaError(why, name[:MAX_COLUMN_NAME], number)
        yield number, _of_line(_name(name), rest.strip(), number)


def _of_line(name: str, rest: str, line: int) -> ColumnSpec:
    found = _TYPE.match(rest)
    if not found:
        word = re.split(r"[\s,;:(]", rest, maxsplit=1)[0]
        why = _unknown(word) if word else "the type is missing"
        raise SchemaError(why, name[:MAX_COLUMN_NAME], line)
    kind, end = _NAMES[found[1].lower()], found.end()
    choices, unit = list[str](), ""
    if kind == "choice":
        if not (listed := _CHOICES.match(rest, end)):
            why = "write the choices in brackets: one of (small, large)"
            raise SchemaError(why, name[:MAX_COLUMN_NAME], line)
        choices = [choice.strip() for choice in re.split(r"[,|;]", listed[1] or listed[2] or "")]
        end = listed.end()
    elif kind in ("number", "money") and (named := _UNIT.match(rest, end)):
        unit, end = (named[1] or named[2]).strip(), named.end()
    question = _SEPARATOR.sub("", rest[end:], count=1).strip()
    return ColumnSpec(name=name, type=kind, question=question, choices=choices, unit=unit)


def _of_schema(text: str) -> Iterator[tuple[int, ColumnSpec]]:
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"this is no JSON: {error}") from None
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        raise SchemaError("the JSON schema has no properties")
    for name, value in properties.items():
        if not isinstance(value, dict):
            raise SchemaError("its schema must be an object", str(name)[:MAX_COLUMN_NAME])
        yield 0, _of_property(_name(name), value)


def _of_property(name: str, value: Mapping[str, Any]) -> ColumnSpec:
    choices = value.get("enum") or ([value["const"]] if "const" in value else [])
    if not isinstance(choices, list) or not all(one is None or isinstance(one, str) for one in choices):
        raise SchemaError("enum must be a list of texts", name[:MAX_COLUMN_NAME])
    texts = {key: value.get(key, "") for key in ("description", "title", "unit", "x-unit", "currency")}
    if wrong := next((key for key, one in texts.items() if not isinstance(one, str)), ""):
        raise SchemaError(f"{wrong} must be a text", name[:MAX_COLUMN_NAME])
    return ColumnSpec(
        name=name,
        type="choice" if choices else _type_of_property(name, value),
        question=" ".join((texts["description"] or texts["title"]).split()),
        choices=[choice for choice in choices if choice is not None],
        unit=texts["unit"] or texts["x-unit"] or texts["currency"],
    )


def _type_of_property(name: str, value: Mapping[str, Any]) -> ColumnType:
    types = value.get("type", "string")
    named = [one for one in (types if isinstance(types, list) else [types]) if one != "null"]
    if kind := _FORMATS.get(str(value.get("format", "")).lower()):
        return kind
    word = str(named[0]).lower() if len(named) == 1 else ""
    if word not in _NAMES or word in ("year", "day"):
        raise SchemaError(_unknown(word or str(types)), name[:MAX_COLUMN_NAME])
    return "money" if _NAMES[word] == "number" and value.get("currency") else _NAMES[word]


def _unknown(kind: str) -> str:
    known = ", ".join(COLUMN_TYPES).replace("yes_no", "yes/no").replace("choice", "one of (…)")
    return f"there is no type {kind!r}; known: {known}"


def _name(name: object) -> str:
    return " ".join(str(name).split()).strip("\"'")
