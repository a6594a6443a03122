"""Have a model read what code leaves open of a row: the passages that it is shown, and the check of what it names.

A model chooses; what it names stands only if its passage states it in the words of the page, in the column's type and
unit, and is about the row's subject, as the values that code takes by itself.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Final

from planner.columns.column_candidates import ColumnCandidate, RowCandidateFinder
from planner.columns.value_places import ValuePlace, whole_in
from planner.columns.value_readers import AskedWords, copied_text
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
    wanted: Sequence[ColumnSpec], finder: RowCandidateFinder, found: Mapping[str, Sequence[ColumnCandidate]]
) -> list[ValuePlace]:
    """The places that a model is shown for columns without a value, the best of each column first."""
    ranked = []
    for column in wanted:
        able = [one for one in found[column.name] if may_stand(one)]
        best = sorted(able, key=lambda one: -one.score)[:_CANDIDATES]
        ranked.append([*(one.place for one in best), *finder.nearest(column, _NEAREST)])
    turns = (one for one in chain.from_iterable(zip_longest(*ranked)) if one is not None)
    unique = {(one.page.sha, one.start, one.label, one.text): one for one in turns}
    return list(unique.values())[:_MOST_SHOWN]


def may_stand(candidate: ColumnCandidate) -> bool:
    """Whether a candidate may be a value at all: of the subject, and more than told of."""
    return candidate.place.is_about and candidate.place.is_page_of_context and not candidate.is_hearsay


def columns_view(job: Job, wanted: Sequence[ColumnSpec], shown: Sequence[ValuePlace]) -> ColumnsView:
    """What a brain is shown of a row."""
    return ColumnsView(
        goal=job.inputs.goal,
        subject=job.inputs.subject,
        columns=job.inputs.columns,
        wanted=[column.name for column in wanted],
        passages=[
            ColumnPassage(
                text=place.text,
                about=" > ".join(part for part in (place.context, place.label) if part),
                title=place.page.page.title,
                url=place.page.final_url,
            )
            for place in shown
        ],
    )


def confirmed(
    column: ColumnSpec, picked: PickedValue, place: ValuePlace, finder: RowCandidateFinder
) -> ColumnCandidate | None:
    """The value of a passage that a brain named; None if the passage does not state it."""
    if _folded(picked.quote) not in _folded(f"{place.asked_text}\n{place.markdown}"):
        return None
    if column.type == "text":
        language = place.page.page.language
        asked = AskedWords(finder.asked(column), finder.language)
        stated = copied_text(column, place.text, picked.value, asked, language)
        return ColumnCandidate(place, stated) if stated and place.is_page_of_context else None
    for candidate in finder.stated_in(column, place):
        fits = may_stand(candidate) and (candidate.stated.is_wanted_unit or not column.unit)
        if fits and _is_named(picked.value, candidate):
            return candidate
    return None


def _is_named(value: str, candidate: ColumnCandidate) -> bool:
    """Whether a brain's words name the value of a candidate: as it is stored, or as the page writes it, among others:
    `17.5 kg` names `17.5`."""
    stated, text = candidate.stated, _folded(value)
    if isinstance(stated.value, bool):
        return text == ("yes" if stated.value else "no")
    return text == _folded(f"{stated.value}") or whole_in(_folded(stated.shown), text) is not None


def _folded(text: str) -> str:
    return " ".join(text.replace("\\|", "|").casefold().split()).strip(" .")
