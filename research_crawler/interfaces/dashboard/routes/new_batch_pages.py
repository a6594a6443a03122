"""A new batch in two steps: a table, then what is asked of each row, with an estimate before it starts."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Final, TypeVar, get_args

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from research_crawler.core.batch_template import GOAL_FIELDS
from research_crawler.core.errors import ConfigError, RowError, UnknownBatch, UsageError
from research_crawler.core.models.base import first_fault
from research_crawler.core.models.jobs.caller_question import Depth, JobQuestion
from research_crawler.core.models.jobs.columns import COLUMN_TYPES, ColumnSpec, ColumnType
from research_crawler.core.text.translatable import translatable
from research_crawler.interfaces.dashboard.forms import Form, FormOf, faults_of
from research_crawler.interfaces.dashboard.page_templates import page, see, shown_error
from research_crawler.interfaces.http.state import RuntimeOf
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches import batch_control
from research_crawler.services.batches.batch_documents import BatchSubmission, batch_from, columns_of_lines
from research_crawler.services.batches.batch_requests import CheckedBatch
from research_crawler.services.batches.estimate import BatchEstimate, estimate
from research_crawler.services.batches.input_table import InputFormat, InputTable, input_table

Amount = TypeVar("Amount", int, float)
router = APIRouter(prefix="/batches/new")
MOST_TABLE_BYTES: Final = 500_000
"""A table travels with the form from step to step; a larger one is for the command line or `POST /batches`."""
TYPED_COLUMNS: Final = 6
"""Columns that the form has fields for; more are described as lines."""
SHOWN_COLUMNS: Final = 2
"""Those of them that are in sight before somebody opens the others."""
PREVIEWED: Final = 5
"""Rows of a new batch's table that are shown before it starts."""
_NAME_CHARS: Final = 200
"""Longest name of a batch that its field takes."""
_OTHER_READING: Final[Mapping[str, InputFormat]] = {"heading": "csv", "plain": "text"}
"""What a person says of the first line of a list: that it names the column, or is a row -> how the list is read."""
_FAULTS: Final = (RowError, UsageError, ConfigError, ValidationError)


@dataclass(frozen=True)
class Step:
    """What the second page shows."""

    table: InputTable
    text: str
    kind: InputFormat
    values: Form = field(default_factory=lambda: Form({}))
    faults: Mapping[str, str] = field(default_factory=dict)
    """What is wrong, by field; under "" what is wrong with none of them alone."""
    estimate: BatchEstimate | None = None


@router.get("")
async def table_step(request: Request) -> Response:
    """The form that takes a table."""
    return page(request, "batch_new.html", {"complaint": "", "text": ""})


@router.post("")
async def question_step(request: Request, runtime: RuntimeOf, form: FormOf) -> Response:
    """The second step, for a table that can be read; else the first one with what is wrong."""
    try:
        text, kind = _given_table(form)
        table = await asyncio.to_thread(input_table, text.encode(), kind)
    except _FAULTS as error:
        return page(
            request,
            "batch_new.html",
            {"complaint": shown_error(request, error), "text": form.one("table")},
            code=422,
        )
    values = {"template": [_proposed(table)], "name": [await _free_name(runtime, form)]}
    return _second(request, Step(table, text, kind, Form(values)))


@router.post("/start")
async def start(request: Request, runtime: RuntimeOf, form: FormOf) -> Response:
    """Estimate a batch, or start it."""
    kind: InputFormat = (
        "jsonl" if form.one("kind") == "jsonl" else "text" if form.one("kind") == "text" else "csv"
    )
    text, other_reading = form.one("table"), _OTHER_READING.get(form.one("go"))
    kind = other_reading or kind
    try:
        table = await asyncio.to_thread(input_table, text.encode(), kind)
    except _FAULTS as error:
        return page(
            request, "batch_new.html", {"complaint": shown_error(request, error), "text": text}, code=422
        )
    if other_reading:
        values = {"template": [_proposed(table)], "name": [form.one("name")]}
        return _second(request, Step(table, text, kind, Form(values)))
    step = Step(table, text, kind, form)
    try:
        checked = await asyncio.to_thread(_checked, runtime, step)
    except _FAULTS as error:
        faults = await asyncio.to_thread(_faults, request, runtime, step)
        return _second(request, replace(step, faults=faults or {"": _told(request, error)}))
    if form.one("go") != "start":
        return _second(request, replace(step, estimate=await estimate(runtime, checked.batch)))
    entry = await batch_control.add_batch(runtime, checked)
    return see(f"/batches/{entry.batch.id}")


def _second(request: Request, step: Step) -> Response:
    return page(
        request,
        "batch_question.html",
        {
            "step": step,
            "preview": step.table.rows[:PREVIEWED],
            "types": COLUMN_TYPES,
            "depths": get_args(Depth),
            "columns": range(TYPED_COLUMNS),
            "shown": max(
                [SHOWN_COLUMNS, *(n + 1 for n in range(TYPED_COLUMNS) if step.values.one(f"column_{n}"))]
            ),
        },
        code=422 if step.faults else 200,
    )


async def _free_name(runtime: Runtime, form: Form) -> str:
    """The name of the uploaded file without its ending, if no batch has it yet; else ""."""
    name = PurePath(form.files[0].name).stem[:_NAME_CHARS] if form.files else ""
    try:
        return "" if not name or await batch_control.find_batch(runtime, name) else name
    except UnknownBatch:
        return name
    except UsageError:
        return ""


def _given_table(form: Form) -> tuple[str, InputFormat]:
    """The table that was uploaded or pasted, and what it is.

    Raises:
        RowError: there is none, or it is too large or no text.
    """
    name, body = "", form.one("table").encode()
    if form.files:
        name, body = form.files[0].name.lower(), form.files[0].body
    if not body.strip():
        raise RowError(translatable("choose a file, or paste a table"))
    if len(body) > MOST_TABLE_BYTES:
        raise RowError(
            f"the table is larger than {MOST_TABLE_BYTES // 1_000} kB; `research batch run FILE` takes it"
        )
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = body.decode("cp1252", "replace")
    begins = text.lstrip()[:1]
    is_json = begins in ("{", "[") or name.endswith((".json", ".jsonl", ".ndjson"))
    first = text.strip().partition("\n")[0]
    is_table = any(mark in first for mark in ",;\t|") or name.endswith((".csv", ".tsv")) or _has_heading(text)
    return text, "jsonl" if is_json else "csv" if is_table else "text"


def _has_heading(text: str) -> bool:
    """Whether the first line of a list looks like the name of its column: a single word above lines of several.

    It may be a row all the same; the next page says how it was read, and has a button for the other way.
    """
    first, *others = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    return first.isidentifier() and any(not line.isidentifier() for line in others)


def _proposed(table: InputTable) -> str:
    """The question that the form begins with: the column that is one, else the first column."""
    named = next((name for name in table.fields if name.strip().lower() in GOAL_FIELDS), "")
    return f"{{{named or table.fields[0]}}}"


def _checked(runtime: Runtime, step: Step) -> CheckedBatch:
    form = step.values
    question: dict[str, Any] = {"columns": _columns(form), "depth": form.one("depth") or "quick"}
    asked: dict[str, Any] = {
        "table": step.text,
        "format": step.kind,
        "template": form.one("template"),
        "question": JobQuestion(**question),
        "name": form.one("name"),
        "max_tokens": _amount(form, "max_tokens", int),
        "max_usd": _amount(form, "max_usd", float),
    }
    return batch_from(runtime.config, BatchSubmission(**asked))


def _faults(request: Request, runtime: Runtime, step: Step) -> dict[str, str]:
    """What is wrong with each field."""
    fields: dict[str, Sequence[str]] = {
        name: [name] for name in ("template", "lines", "max_usd", "max_tokens")
    }
    for n in range(TYPED_COLUMNS):
        marked = (
            "unit" if step.values.one(f"unit_{n}") or step.values.one(f"type_{n}") == "choice" else "column"
        )
        fields[f"{marked}_{n}"] = [f"{part}_{n}" for part in ("column", "type", "question", "unit")]

    def check(form: Form) -> str:
        try:
            _checked(runtime, replace(step, values=form))
        except _FAULTS as error:
            return _told(request, error)
        return ""

    return faults_of(step.values, fields, check, {"template": _proposed(step.table)})


def _amount(form: Form, name: str, kind: Callable[[str], Amount]) -> Amount | None:
    """A ceiling as a number; None if there is none.

    Raises:
        UsageError: it is no number.
    """
    text = form.one(name).strip().replace(",", "")
    try:
        return kind(text) if text else None
    except ValueError:
        raise UsageError(translatable("%(text)r is not a number", text=text[:40])) from None


def _columns(form: Form) -> list[ColumnSpec]:
    """The columns of the fields, and those of the lines."""
    found = []
    for n in range(TYPED_COLUMNS):
        if not (name := form.one(f"column_{n}").strip()):
            continue
        kind = form.one(f"type_{n}")
        found.append(
            ColumnSpec(
                name=name,
                type=_type(kind),
                question=form.one(f"question_{n}").strip(),
                unit=form.one(f"unit_{n}").strip() if kind != "choice" else "",
                choices=_choices(form.one(f"unit_{n}")) if kind == "choice" else [],
            )
        )
    lines = form.one("lines").strip()
    return [*found, *(columns_of_lines(lines) if lines else [])]


def _type(text: str) -> ColumnType:
    return next((kind for kind in get_args(ColumnType) if kind == text), "text")


def _choices(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


def _told(request: Request, error: Exception) -> str:
    return first_fault(error) if isinstance(error, ValidationError) else shown_error(request, error)
