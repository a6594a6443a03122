"""The formats of a batch's table. Each writes it row by row, so that its memory does not grow with the rows."""

import csv
import html
import importlib
import io
import json
from collections.abc import Callable
from typing import Any, Final, Protocol

from research_crawler.core.models.jobs.batches import Batch, BatchRow
from research_crawler.core.models.jobs.columns import ColumnValue, value_text
from research_crawler.services.batches.row_records import (
    RESULT_COLUMNS,
    Headings,
    column_values,
    empty_row,
    flat_row,
    row_confidence,
    row_record,
)
from research_crawler.text.writing.markdown import address, escape_cell, escape_markdown
from research_crawler.text.writing.spreadsheet_cells import guarded_cell

_ARROW: Final = {"number": "float64", "money": "float64", "yes_no": "bool_"}
_ARROW_ROWS: Final = 500
"""Rows that Parquet writes at once."""
_SHOWN_CHARS: Final = 160
"""Most characters of an answer in a table that people read."""


class TableFormat(Protocol):
    """Writes one table."""

    def begin(self) -> bytes:
        """What comes before the rows."""
        ...

    def add(self, row: BatchRow) -> bytes:
        """What there is to write after one more row."""
        ...

    def end(self) -> bytes:
        """What comes after the rows."""
        ...


class CsvTable:
    """A line a row, with everything that is known of it; a spreadsheet runs no cell."""

    def __init__(self, batch: Batch) -> None:
        self._batch, self._headings = batch, Headings.of(batch)
        self._line = io.StringIO(newline="")
        self._names = list(flat_row(batch, empty_row(batch), self._headings))
        self._writer = csv.DictWriter(self._line, self._names, lineterminator="\n")

    def begin(self) -> bytes:
        """The headings."""
        self._writer.writerow({name: _cell(name) for name in self._names})
        return self._written()

    def add(self, row: BatchRow) -> bytes:
        """The line of the row."""
        record = flat_row(self._batch, row, self._headings)
        self._writer.writerow({name: _cell(value) for name, value in record.items()})
        return self._written()

    def end(self) -> bytes:
        """Nothing."""
        return b""

    def _written(self) -> bytes:
        text = self._line.getvalue()
        self._line.seek(0)
        self._line.truncate()
        return text.encode()


def _cell(value: Any) -> Any:
    """A cell that a spreadsheet shows and does not run."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return guarded_cell(value) if isinstance(value, str) else value


class JsonLines:
    """An object a row, with values by the name of their column."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def begin(self) -> bytes:
        """Nothing."""
        return b""

    def add(self, row: BatchRow) -> bytes:
        """The line of the row."""
        return (json.dumps(row_record(self._batch, row), ensure_ascii=False) + "\n").encode()

    def end(self) -> bytes:
        """Nothing."""
        return b""


def _compared(batch: Batch, row: BatchRow) -> list[tuple[str, str, str]]:
    """The cells that people compare: (heading, text, URL of its source)."""
    cells = [(name, row.fields.get(name, ""), "") for name in batch.fields]
    cells += [(column.name, _told(value), value.url) for column, value in column_values(batch, row)]
    if not batch.inputs.columns:
        sources = row.result.sources
        cells.append(("answer", _short(row.result.answer), sources[0] if sources else ""))
    confidence = row_confidence(batch, row)
    cells.append(("confidence", "" if confidence is None else f"{confidence:.0%}", ""))
    cells.append(("state", row.state if not row.result.cause else f"{row.state}: {row.result.cause}", ""))
    return cells


def _told(value: ColumnValue) -> str:
    return f"{_short(value_text(value))}{' (by hand)' if value.is_by_hand else ''}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


class MarkdownTable:
    """A table that people read, with numbered sources below it."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._numbers: dict[str, int] = {}
        """URL of a source -> its number."""

    def begin(self) -> bytes:
        """The title and the headings."""
        heads = [escape_cell(name) for name, _, _ in _compared(self._batch, empty_row(self._batch))]
        lines = [
            f"# {escape_markdown(self._batch.name)}",
            "",
            f"| {' | '.join(heads)} |",
            f"|{'---|' * len(heads)}",
        ]
        return _lines(lines)

    def add(self, row: BatchRow) -> bytes:
        """The line of the row."""
        texts = [
            f"{escape_cell(text)} [{self._numbers.setdefault(url, len(self._numbers) + 1)}]"
            if url
            else escape_cell(text)
            for _, text, url in _compared(self._batch, row)
        ]
        return _lines([f"| {' | '.join(texts)} |"])

    def end(self) -> bytes:
        """The sources."""
        sources = [f"{n}. {address(url)}" for url, n in self._numbers.items()]
        return _lines(["", "## Sources", "", *sources]) if sources else b""


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


class HtmlTable:
    """A page of its own: no script, no link but those of the sources."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def begin(self) -> bytes:
        """The page up to the headings."""
        cells = _compared(self._batch, empty_row(self._batch))
        heads = "".join(f"<th>{html.escape(name)}</th>" for name, _, _ in cells)
        name = html.escape(self._batch.name)
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
            f"<title>{name}</title><style>{_STYLE}</style></head><body><h1>{name}</h1>\n"
            f"<table><thead><tr>{heads}</tr></thead><tbody>\n"
        ).encode()

    def add(self, row: BatchRow) -> bytes:
        """The line of the row."""
        cells = "".join(_html_cell(text, url) for _, text, url in _compared(self._batch, row))
        return f"<tr>{cells}</tr>\n".encode()

    def end(self) -> bytes:
        """The end of the page."""
        return b"</tbody></table></body></html>\n"


_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}"
    "th,td{border:1px solid #8886;padding:.35em .6em;text-align:left;vertical-align:top}"
)


def _html_cell(text: str, url: str) -> str:
    shown = html.escape(text)
    if url.startswith(("http://", "https://")):
        shown = f'<a href="{html.escape(url, quote=True)}" rel="noreferrer nofollow">{shown}</a>'
    return f"<td>{shown}</td>"


class ParquetTable:
    """Typed columns, written in groups of rows. It is compressed, and whole at its end only."""

    def __init__(self, batch: Batch) -> None:
        """The library is optional: `result_tables.check_format` has said so where it is missing."""
        self._arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
        self._batch, self._headings = batch, Headings.of(batch)
        types = _arrow_types(batch, self._headings)
        self._schema = self._arrow.schema(
            [(name, getattr(self._arrow, kind)()) for name, kind in types.items()]
        )
        self._file, self._rows = io.BytesIO(), list[dict[str, Any]]()
        self._writer = parquet.ParquetWriter(self._file, self._schema)

    def begin(self) -> bytes:
        """Nothing."""
        return b""

    def add(self, row: BatchRow) -> bytes:
        """Nothing: the row is kept."""
        self._rows.append(flat_row(self._batch, row, self._headings))
        if len(self._rows) >= _ARROW_ROWS:
            self._write()
        return b""

    def end(self) -> bytes:
        """The file."""
        self._write()
        self._writer.close()
        return self._file.getvalue()

    def _write(self) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()


def _arrow_types(batch: Batch, headings: Headings) -> dict[str, str]:
    """The type of each column of the table, also of those that no row has a value for."""
    types = dict.fromkeys(flat_row(batch, empty_row(batch), headings), "string")
    for column in batch.inputs.columns:
        name = headings.of_columns[column.name]
        types[name] = _ARROW.get(column.type, "string")
        types[f"{name} confidence"] = "float64"
    return types | {headings.of_row[name]: kind for name, kind in RESULT_COLUMNS.items()}


TABLE_FORMATS: Final[dict[str, Callable[[Batch], TableFormat]]] = {
    "csv": CsvTable,
    "jsonl": JsonLines,
    "md": MarkdownTable,
    "html": HtmlTable,
    "parquet": ParquetTable,
}
