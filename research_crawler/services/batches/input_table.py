"""Reads the input of a batch, a table as CSV or JSON lines, and says which row cannot be used."""

import codecs
import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from research_crawler.core.errors import RowError
from research_crawler.core.text.translatable import translatable

InputFormat = Literal["csv", "jsonl", "text"]
MOST_INPUT_ROWS: Final = 100_000
"""Most rows of a batch."""
MAX_INPUT_BYTES: Final = 100_000_000
"""Largest table of a batch."""
MAX_CELL_CHARS: Final = 2_000
"""Longest cell of a table."""
MOST_INPUT_FIELDS: Final = 500
"""Columns of an input; each row is kept with all of them."""
_DELIMITERS: Final = ",;\t|"
_HALF_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FORMATS: Final[Mapping[str, InputFormat]] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".txt": "text",
}
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class InputRow:
    """A row of the input with the line where it begins."""

    line: int
    fields: Mapping[str, str]


@dataclass(frozen=True)
class InputTable:
    """The rows of an input, and the names of its columns."""

    fields: Sequence[str]
    rows: Sequence[InputRow]
    row_unit: Literal["line", "entry"] = "line"
    """What a row is in the file, for messages: a line, or an entry of a JSON list."""


def read_table(path: Path, *, encoding: str = "") -> InputTable:
    """Read a file with a row for each question. The end of its name says the format.

    Raises:
        RowError: the file cannot be read, or a row is not one; the message names row and column.
    """
    try:
        with path.open("rb") as file:  # a pipe or a device has no size before it is read
            data = file.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        raise RowError(
            translatable("%(path)s cannot be read: %(why)s", path=path, why=error.strerror or "")
        ) from error
    if len(data) > MAX_INPUT_BYTES:
        raise RowError(
            translatable(
                "%(name)s is larger than %(most)s MB", name=path.name, most=MAX_INPUT_BYTES // 1_000_000
            )
        )
    return input_table(data, _FORMATS.get(path.suffix.lower(), "csv"), encoding=encoding)


def input_table(data: bytes, kind: InputFormat, *, encoding: str = "") -> InputTable:
    """Read the bytes of an input.

    Raises:
        RowError: see `read_table`.
    """
    text = _decoded(data, encoding)
    table = {"csv": _csv_table, "jsonl": _json_table, "text": _text_table}[kind](text)
    if not table.rows:
        raise RowError(
            translatable("the input has no row below its header")
            if kind == "csv"
            else translatable("the input has no row")
        )
    if len(table.rows) > MOST_INPUT_ROWS:
        raise RowError(
            translatable(
                "the input has %(rows)s rows; at most %(most)s are allowed",
                rows=len(table.rows),
                most=MOST_INPUT_ROWS,
            )
        )
    if any(not name.strip() or _fault_in(name) for name in table.fields):
        raise RowError(translatable("a name of a field is empty, or has characters that are no text"))
    for row in table.rows:
        for name, value in row.fields.items():
            if fault := _fault_in(value):
                raise RowError(fault, row.line, name, row_unit=table.row_unit)
    return table


def _fault_in(text: str) -> str:
    """What a text of a row has that no question can have; escape sequences of JSON can write all of it."""
    if len(text) > MAX_CELL_CHARS:
        return translatable("the cell has more than %(most)s characters", most=MAX_CELL_CHARS)
    if not text.isascii() and _HALF_SURROGATE.search(text):
        return translatable("the cell has half of a surrogate pair, which is no Unicode text")
    return translatable("the cell has NUL characters and is no text") if "\0" in text else ""


def _decoded(data: bytes, encoding: str) -> str:
    marked = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    chosen = encoding or marked
    try:
        text = data.decode(chosen)
    except LookupError:  # there is none, or it is one of those that are not about text, such as zip
        raise RowError(
            translatable("there is no encoding %(name)r; try utf-8, latin-1 or cp1252", name=chosen)
        ) from None
    except UnicodeDecodeError as error:
        row = data[: error.start].count(b"\n") + 1
        raise RowError(
            translatable(
                "byte 0x%(byte)s is not %(name)s text; save the file as UTF-8, or name its encoding: "
                "--encoding cp1252 (Windows, Western Europe), latin-1, shift_jis, …",
                byte=f"{data[error.start]:02x}",
                name=chosen,
            ),
            row,
        ) from None
    except (UnicodeError, ValueError) as error:
        raise RowError(
            translatable("the file is not %(name)s text: %(why)s", name=chosen, why=str(error))
        ) from None
    if "\0" in text:
        raise RowError(
            translatable("the file has NUL characters and is no text"),
            text[: text.index("\0")].count("\n") + 1,
        )
    return text.removeprefix("\ufeff")


def _csv_table(text: str) -> InputTable:
    # The only separator that the header has, or the one that it has most of.
    header_line = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=header_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] = []
    rows, begins = list[InputRow](), 1
    try:
        for cells in reader:
            line, begins = begins, reader.line_num + 1
            if not names:
                names = _checked_names(cells, line)
            elif cells:  # a line without any character is none
                rows.append(InputRow(line, _cells(names, cells, line)))
    except csv.Error as error:
        raise RowError(translatable("this is no CSV: %(why)s", why=str(error)), reader.line_num) from None
    if not names:
        raise RowError(translatable("the input is empty"))
    return InputTable(names, rows)


def _checked_names(cells: Sequence[str], line: int) -> list[str]:
    _check_count(len(cells), line)
    names = dict[str, None]()
    for place, cell in enumerate(cells, 1):
        name = " ".join(cell.split())
        if not name:
            raise RowError(translatable("column %(n)s of the header has no name", n=place), line)
        if name in names:
            raise RowError(translatable("the header names this column twice"), line, name)
        names[name] = None
    return list(names)


def _check_count(fields: int, line: int) -> None:
    if fields > MOST_INPUT_FIELDS:
        raise RowError(
            translatable(
                "the input has %(fields)s columns; at most %(most)s are allowed",
                fields=fields,
                most=MOST_INPUT_FIELDS,
            ),
            line,
        )


def _cells(names: Sequence[str], cells: Sequence[str], line: int) -> dict[str, str]:
    if len(cells) < len(names):
        raise RowError(
            translatable(
                "the row has %(cells)s of %(all)s cells; this one is missing",
                cells=len(cells),
                all=len(names),
            ),
            line,
            names[len(cells)],
        )
    if len(cells) > len(names):
        raise RowError(
            translatable(
                "the row has %(cells)s cells, and the header %(all)s; is a separator not quoted?",
                cells=len(cells),
                all=len(names),
            ),
            line,
        )
    return {name: cell.strip() for name, cell in zip(names, cells, strict=True)}


def _json_table(text: str) -> InputTable:
    is_list = text.lstrip().startswith("[")
    row_unit: Literal["line", "entry"] = "entry" if is_list else "line"
    if is_list:
        parsed = _parsed_json(text, 1)
        found = [(place, one) for place, one in enumerate(parsed, 1)] if isinstance(parsed, list) else []
    else:
        found = [
            (line, _parsed_json(one, line)) for line, one in enumerate(text.split("\n"), 1) if one.strip()
        ]
    objects = [(line, _json_object(one, line, row_unit)) for line, one in found]
    names = dict.fromkeys(name for _, one in objects for name in one)
    _check_count(max((len(one) for _, one in objects), default=0), 1)
    _check_count(len(names), 1)
    rows = [InputRow(line, _json_fields(one, names, line, row_unit)) for line, one in objects]
    return InputTable(list(names), rows, row_unit)


def _parsed_json(text: str, line: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RowError(translatable("this is no JSON: %(why)s", why=str(error)), line) from None


def _json_object(value: object, line: int, row_unit: str) -> dict[str, Any]:
    if isinstance(value, str):
        return {"topic": value}
    if not isinstance(value, dict):
        raise RowError(
            translatable('the row must be a JSON object such as {"name": "…"}'), line, row_unit=row_unit
        )
    return value


def _json_fields(
    value: Mapping[str, Any], names: Mapping[str, None], line: int, row_unit: str
) -> dict[str, str]:
    for name in names:
        if name not in value:
            raise RowError(
                translatable("the row has no such field, and other rows have"), line, name, row_unit=row_unit
            )
        if isinstance(value[name], dict | list):
            raise RowError(
                translatable("the value must be a text or a number"), line, name, row_unit=row_unit
            )
    return {name: _as_text(value[name]) for name in names}


def _as_text(value: object) -> str:
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value)


def _text_table(text: str) -> InputTable:
    lines = ((line, " ".join(one.split())) for line, one in enumerate(text.splitlines(), 1))
    return InputTable(["topic"], [InputRow(line, {"topic": one}) for line, one in lines if one])
