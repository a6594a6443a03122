"""Writes the results of a batch as a table: CSV, JSON lines, Markdown, HTML, or Parquet."""

import asyncio
import csv
import html
import importlib
import importlib.util
import io
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from planner.text.markdown import address, cell, inert
from planner.text.spreadsheet_cells import guarded_cell
from research_crawler.core.errors import UsageError
from research_crawler.core.models.batches import Batch, BatchRow
from research_crawler.core.models.columns import ColumnSpec, ColumnValue, told_value
from research_crawler.services.exports.saving import write_whole

TABLE_FORMATS: Final = ("csv", "jsonl", "md", "html", "parquet")
_FILES: Final = {
    "csv": "results.csv",
    "jsonl": "results.jsonl",
    "md": "comparison.md",
    "html": "comparison.html",
}
"""The tables that a batch leaves in its folder."""
_ARROW: Final = {"number": "float64", "money": "float64", "yes_no": "bool_"}
"""The types of Parquet columns that are no texts."""
_SHOWN_CHARS: Final = 160
"""Most characters of an answer in a table that people read."""


def check_format(kind: str) -> None:
    """Check that a table can be written in this format.

    Raises:
        UsageError: there is no such format, or its library is not installed.
    """
    if kind not in TABLE_FORMATS:
        raise UsageError(f"there is no table format {kind!r}; known: {', '.join(TABLE_FORMATS)}")
    if kind == "parquet" and importlib.util.find_spec("pyarrow") is None:
        raise UsageError(
            "Parquet needs pyarrow, which is not installed: pip install pyarrow, or take csv or jsonl"
        )


async def table_of_batch(batch: Batch, rows: AsyncIterator[BatchRow], kind: str) -> bytes:
    """The results of a batch as the bytes of a file.

    Raises:
        UsageError: see `check_format`.
    """
    check_format(kind)
    found = [row async for row in rows]
    if kind == "parquet":
        return _parquet(batch, found)
    writers: dict[str, Callable[[Batch, Sequence[BatchRow]], str]] = {
        "csv": _csv,
        "jsonl": _json_lines,
        "md": _markdown,
        "html": _html_page,
    }
    return writers[kind](batch, found).encode()


async def save_tables(batch: Batch, rows: Callable[[], AsyncIterator[BatchRow]], folder: Path) -> list[Path]:
    """Write the results as CSV, JSON lines, Markdown and HTML into a folder, and return the files."""
    tables = {name: await table_of_batch(batch, rows(), kind) for kind, name in _FILES.items()}

    def write() -> list[Path]:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in tables.items():
            write_whole(folder / name, data)
        return [folder / name for name in tables]

    return await asyncio.to_thread(write)


def flat_row(batch: Batch, row: BatchRow) -> dict[str, Any]:
    """A row as one record: its fields, then each column with unit, confidence, quote, source and reason.

    A column that has a name of the row's own has `value` before it; what is told of the row, `result`.
    """
    return {name: value for name, (_, value) in _flat(batch, row).items()}


def _flat(batch: Batch, row: BatchRow) -> dict[str, tuple[str, Any]]:
    """The cells of a row by their names, of which none is given twice, with their types in Parquet."""
    record: dict[str, tuple[str, Any]] = {}

    def put(before: str, cells: Iterable[tuple[str, str, Any]]) -> None:
        for given, kind, value in cells:
            name = given
            while name in record or name in batch.fields:
                name = f"{before} {name}"
            record[name] = kind, value

    put("result", [("row", "int64", row.n)])
    record |= {name: ("string", row.fields.get(name, "")) for name in batch.fields}
    put("result", [("state", "string", row.state)])
    for column, value in values_of(batch, row):
        put("value", _cells_of_value(column, value))
    put("result", _cells_of_result(row))
    return record


def _cells_of_value(column: ColumnSpec, value: ColumnValue) -> Iterator[tuple[str, str, Any]]:
    yield column.name, _ARROW.get(column.type, "string"), value.value
    if column.type in ("number", "money"):
        yield f"{column.name} unit", "string", value.unit
    yield f"{column.name} confidence", "float64", value.confidence if value.value is not None else None
    yield f"{column.name} quote", "string", value.quote
    yield f"{column.name} source", "string", value.url
    yield f"{column.name} reason", "string", value.note or value.reason


def _cells_of_result(row: BatchRow) -> Iterator[tuple[str, str, Any]]:
    result = row.result
    yield "answer", "string", result.answer
    yield "confidence", "float64", result.confidence
    yield "sources", "string", " ".join(result.sources)
    yield "tokens", "int64", result.tokens
    yield "usd", "float64", round(result.usd, 6)
    yield "pages", "int64", result.pages
    yield "seconds", "float64", result.seconds
    yield "job", "string", row.job if row.state != "waiting" else ""
    yield "error", "string", result.error or result.cause


def row_record(batch: Batch, row: BatchRow) -> dict[str, Any]:
    """A row as JSON has it: its fields, state, result and job, with values by the name of their column."""
    result = row.result.model_dump(mode="json", exclude={"values"})
    return {
        "batch": batch.id,
        "row": row.n,
        "fields": row.fields,
        "state": row.state,
        "job": row.job if row.state != "waiting" else None,
        "values": {value.name: value.model_dump(mode="json") for _, value in values_of(batch, row)},
        **result,
    }


def _csv(batch: Batch, rows: Sequence[BatchRow]) -> str:
    file = io.StringIO(newline="")
    names = list(_arrow_types(batch))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(guarded_cell, names))
    for row in rows:
        flat = flat_row(batch, row)
        writer.writerow([_cell(flat.get(name, "")) for name in names])
    return file.getvalue()


def _cell(value: Any) -> Any:
    """A cell that a spreadsheet shows and does not run."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return guarded_cell(value) if isinstance(value, str) else value


def _json_lines(batch: Batch, rows: Sequence[BatchRow]) -> str:
    return "".join(json.dumps(row_record(batch, row), ensure_ascii=False) + "\n" for row in rows)


def _compared(batch: Batch, row: BatchRow) -> list[tuple[str, str, str]]:
    """The cells that people compare: (heading, text, URL of its source)."""
    cells = [(name, row.fields.get(name, ""), "") for name in batch.fields]
    cells += [(column.name, _short(told_value(value)), value.url) for column, value in values_of(batch, row)]
    if not batch.inputs.columns:
        sources = row.result.sources
        cells.append(("answer", _short(row.result.answer), sources[0] if sources else ""))
    confidence = row.result.confidence
    cells.append(("confidence", "" if confidence is None else f"{confidence:.0%}", ""))
    cells.append(("state", row.state if not row.result.cause else f"{row.state}: {row.result.cause}", ""))
    return cells


def values_of(batch: Batch, row: BatchRow) -> Iterator[tuple[ColumnSpec, ColumnValue]]:
    """Each column with the value that the row has; one that it does not have is null, with the reason."""
    found = {value.name: value for value in row.result.values}
    for column in batch.inputs.columns:
        missing = ColumnValue(name=column.name, type=column.type, reason="not_asked", note=_why_none(row))
        yield column, found.get(column.name, missing)


def _why_none(row: BatchRow) -> str:
    """Why a row has no values at all."""
    why = row.result.error or row.result.cause
    return f"the row is {row.state}{f': {why}' if why else ''}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def _markdown(batch: Batch, rows: Sequence[BatchRow]) -> str:
    tables = [_compared(batch, row) for row in rows]
    if not tables:
        return ""
    heads = [cell(name) for name, _, _ in tables[0]]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    numbers: dict[str, int] = {}
    for cells in tables:
        texts = [
            f"{cell(text)} [{numbers.setdefault(url, len(numbers) + 1)}]" if url else cell(text)
            for _, text, url in cells
        ]
        lines.append(f"| {' | '.join(texts)} |")
    sources = [f"{n}. {address(url)}" for url, n in numbers.items()]
    title = inert(batch.name)
    return "\n".join([f"# {title}", "", *lines, "", *(["## Sources", "", *sources, ""] if sources else [])])


def _html_page(batch: Batch, rows: Sequence[BatchRow]) -> str:
    """A page of its own: no script, no link but those of the sources."""
    tables = [_compared(batch, row) for row in rows]
    heads = "".join(f"<th>{html.escape(name)}</th>" for name, _, _ in (tables[0] if tables else []))
    body = "".join(
        f"<tr>{''.join(_html_cell(text, url) for _, text, url in cells)}</tr>\n" for cells in tables
    )
    name = html.escape(batch.name)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{name}</title><style>{_STYLE}</style></head><body><h1>{name}</h1>\n"
        f"<table><thead><tr>{heads}</tr></thead><tbody>\n{body}</tbody></table></body></html>\n"
    )


_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}"
    "th,td{border:1px solid #8886;padding:.35em .6em;text-align:left;vertical-align:top}"
)


def _html_cell(text: str, url: str) -> str:
    shown = html.escape(text)
    if url.startswith(("http://", "https://")):
        shown = f'<a href="{html.escape(url, quote=True)}" rel="noreferrer nofollow">{shown}</a>'
    return f"<td>{shown}</td>"


def _parquet(batch: Batch, rows: Sequence[BatchRow]) -> bytes:
    arrow: Any = importlib.import_module(
        "pyarrow"
    )  # optional: `check_format` has said so where it is missing
    parquet: Any = importlib.import_module("pyarrow.parquet")
    flat = [flat_row(batch, row) for row in rows]
    schema = arrow.schema([(name, getattr(arrow, kind)()) for name, kind in _arrow_types(batch).items()])
    file = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(flat, schema=schema), file)
    return file.getvalue()


def _arrow_types(batch: Batch) -> dict[str, str]:
    """The type of each column of the table, also of those that no row has a value for."""
    return {name: kind for name, (kind, _) in _flat(batch, BatchRow(batch=batch.id, n=0)).items()}
