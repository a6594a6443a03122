"""The model as the reader of columns: the values of a row that code has left open, in one call."""

from collections.abc import Mapping, Sequence
from typing import Final

from planner.brains.model.answers.evidence_ids import index_of
from planner.brains.model.client import ModelClient, RoleRequest
from planner.brains.model.model_brain_settings import ModelSettings
from planner.brains.model.prompts.document_parts import TITLE_CHARS, shortened_text
from prompts.answers import ColumnsAnswer
from prompts.fences import fence_of, fenced, marks
from prompts.loader import Document, Entries, load
from prompts.schemas import columns_schema
from research_crawler.core.models.jobs.column_reading import (
    ColumnPassage,
    ColumnsView,
    PickedValue,
    PickedValues,
)
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.ports.models import Call
from research_crawler.core.web.urls import host_of

_ABOUT_CHARS, _TEXT_CHARS = 120, 600
"""Longest heading and longest text of a passage that a reader of columns is shown."""
_STAYS: Final = 9.0
"""The worth of the line of a page, which stays."""


class ModelColumnReader:
    """Asks the role `column_reader` once a row."""

    def __init__(self, client: ModelClient, settings: ModelSettings, name: str) -> None:
        self._client, self._settings, self._name = client, settings, name

    async def pick(self, view: ColumnsView, call: Call) -> PickedValues:
        """The values that the model names, at most one a column; those of unknown columns and passages are dropped."""
        passages = view.passages[: self._settings.shown_passages]
        is_small = not self._settings.bounds.reasons
        ids = len(passages) if is_small else self._settings.shown_passages
        question = RoleRequest(
            "column_reader",
            load("column_reader"),
            column_documents(view, passages, fence_of(call.job)),
            columns_schema(
                self._settings.bounds,
                [column.name for column in view.columns],
                view.wanted,
                [f"V{n}" for n in range(1, ids + 1)],
            ),
        )
        answer = await self._client.ask(question, ColumnsAnswer, call)
        return PickedValues(by=self._name, found=picked_from(answer, view.wanted, len(passages)))


def column_documents(
    view: ColumnsView, passages: Sequence[ColumnPassage], fence: str
) -> Mapping[str, Document]:
    """Inputs of the prompt: first the columns, which are the same in all rows of a batch."""
    items, worth, last = list[str](), list[float](), ""
    for n, passage in enumerate(passages, start=1):
        page = f"From: {shortened_text(passage.title, TITLE_CHARS) or passage.url} | {host_of(passage.url)}"
        if page != last:
            items.append(page)
            worth.append(_STAYS)
        about = f"{shortened_text(passage.about, _ABOUT_CHARS)} > " if passage.about else ""
        items.append(f"V{n}. {about}“{shortened_text(passage.text, _TEXT_CHARS)}”")
        worth.append(1 - n / (len(passages) + 1))
        last = page
    return {
        "columns": "\n".join(map(_told, view.columns)),
        "fence": marks(fence),
        "goal": view.goal,
        "subject": view.subject,
        "wanted": ", ".join(view.wanted),
        "passages": fenced(fence, Entries(items=items, worth=worth)),
    }


def _told(column: ColumnSpec) -> str:
    kind = "yes/no" if column.type == "yes_no" else column.type
    choices = f" ({', '.join(column.choices)})" if column.choices else ""
    unit = f" in {column.unit}" if column.unit else ""
    return f"- {column.name}: {kind}{unit}{choices}: {column.question_text}"


def picked_from(answer: ColumnsAnswer, wanted: Sequence[str], shown: int) -> list[PickedValue]:
    """The entries with a value, of columns that were asked for and passages that were shown; the first one a column."""
    names = {name.casefold(): name for name in wanted}
    found: dict[str, PickedValue] = {}
    for entry in answer.values:
        name, index = names.get(entry.column.casefold()), index_of(entry.passage, "V", shown)
        value = " ".join(entry.value.split())
        if name and value and index is not None and name not in found:
            found[name] = PickedValue(column=name, passage=index, value=value, quote=entry.quote)
    return list(found.values())
