"""Have a model read what code has left open of a row: the passages that it is shown, and the check of what it names.

A model chooses; what it names stands only if its passage states it in the words of the page, in the column's type and
unit, and is about the row's subject, as the values that code takes by itself.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Final

from planner.columns.column_candidates import ColumnCandidate, RowPlaces
from planner.columns.value_places import ValuePlace
from research_crawler.core.models.jobs.column_reading import (
    ColumnPassage,
    ColumnsView,
    PickedValue,
    PickedValues,
)
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job import Job

PickValues = Callable[[ColumnsView], Awaitable[PickedValues]]
"""Asks a brain for the values of a row's open columns."""
_MOST_SHOWN: Final = 32
"""Most passages of a row."""
_CANDIDATES, _NEAREST = 6, 12
"""So many candidates of a column are shown, and so many further passages: with six, the sentence that names the version
of a setting was not among those of two in three entries of a manual."""


def shown_places(
    wanted: Sequence[ColumnSpec], places: RowPlaces, found: Mapping[str, Sequence[ColumnCandidate]]
) -> list[ValuePlace]:
    """The places that a model is shown for columns without a value, the best of each column first."""
    ranked = [[*_best(found[column.name]), *places.nearest(column.name, _NEAREST)] for column in wanted]
    turns = chain.from_iterable(zip_longest(*ranked))
    unique = {(one.page.sha, one.start, one.label, one.text): one for one in turns if one is not None}
    return list(unique.values())[:_MOST_SHOWN]


def _best(found: Sequence[ColumnCandidate]) -> list[ValuePlace]:
    """The best places that may give a value at all: of the subject, and more than told of."""
    able = [one for one in found if one.is_about and one.is_placed and not one.is_told]
    return [one.spot for one in sorted(able, key=lambda one: -one.score)[:_CANDIDATES]]


def columns_view(job: Job, wanted: Sequence[ColumnSpec], shown: Sequence[ValuePlace]) -> ColumnsView:
    """What a brain is shown of a row."""
    return ColumnsView(
        goal=job.inputs.goal,
        subject=job.inputs.subject,
        columns=job.inputs.columns,
        wanted=[column.name for column in wanted],
        passages=[
            ColumnPassage(
                text=spot.text,
                about=" > ".join(part for part in (spot.context, spot.label) if part),
                title=spot.page.page.title,
                url=spot.page.final_url,
            )
            for spot in shown
        ],
    )


def confirmed(
    column: ColumnSpec, picked: PickedValue, spot: ValuePlace, places: RowPlaces
) -> ColumnCandidate | None:
    """The value of a passage that a brain named; None if the passage does not state it."""
    if picked.quote and _folded(picked.quote) not in _folded(f"{spot.asked_text}\n{spot.markdown}"):
        return None
    if column.type == "text":
        return places.copied_from(column.name, spot, picked.value)
    stated = (
        one
        for one in places.stated_in(column.name, spot)
        if one.is_placed and not one.is_told and (one.stated.is_wanted_unit or not column.unit)
    )
    return next((one for one in stated if _is_named(picked.value, one)), None)


def _is_named(value: str, candidate: ColumnCandidate) -> bool:
    """Whether a brain's words name the value of a candidate: as the page writes it, or as it is stored."""
    stated, text = candidate.stated, _folded(value)
    if isinstance(stated.value, bool):
        return text == ("yes" if stated.value else "no")
    return text in {_folded(stated.shown), _folded(f"{stated.value}")} or _has_whole(
        text, _folded(stated.shown)
    )


def _has_whole(text: str, part: str) -> bool:
    """Whether a text has a part that neither letters nor digits go on from: `17.5 kg` has `17.5`."""
    before, found, behind = text.partition(part)
    return bool(part and found) and not (before[-1:].isalnum() or behind[:1].isalnum() or before[-1:] in ".,")


def _folded(text: str) -> str:
    return " ".join(text.replace("\\|", "|").casefold().split()).strip(" .")
