"""Fill the columns of a job from its pages: for each the best supported value, or null with a reason.

The type decides which places of the pages are looked at; meaning (embedding), the question's own words and what the
place is about decide which of them answers; what that leaves open a model may read (`picked_values`).
`column_candidates` says what the figures beside the numbers are.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from planner.columns.column_candidates import ColumnCandidate, RowCandidateFinder
from planner.columns.offer_columns import asks_stock
from planner.columns.picked_values import PickValues, columns_view, confirmed, shown_places
from planner.columns.value_places import ValuePlace
from research_crawler.core.models.jobs.column_reading import PickedValues
from research_crawler.core.models.jobs.columns import (
    LEAST_CONFIDENCE,
    ColumnAlternative,
    ColumnSpec,
    ColumnValue,
    ValueReason,
    column_value,
)
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.offers.products import Condition
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.ports.models import Embedder
from research_crawler.core.vendors import NO_CATALOGUE, Catalogue
from research_crawler.text.measures.likeness import cosine

_LEAST: Final = 0.34
"""The least score of a place that answers."""
_LEAST_SURE, _MORE_SURE, _SPAN = 0.65, 0.3, 0.2
"""Confidence of a value with the least score, and how much more it has with so much more score. Of values in the
first three fifths of the span 16 of 22 are right, further on 19 of 20, beyond it 348 of 363: `columns_saved`, manuals,
and 52 settings that nobody had looked at."""
_AMBIGUOUS, _DENIED = 0.35, 0.35
"""Less where its text can be read in two ways, or another page says something else. Chosen: such values are too few to
count."""
_SELF_DENIED: Final = 0.2
"""Less for a stock of which the same page says something else, so that a person looks: a shop whose data are stale.
Chosen: no benchmark counts such pages."""
_HEARSAY_PENALTY: Final = 0.5
"""Less for a price of which only a post or a page that sells nothing tells: it is a candidate and no value."""
_ELSEWHERE: Final = 0.6
"""Less for a value of a page that names nothing of what the row says beside the name: never sure enough."""
_OTHER_CONDITION: Final = 0.6
"""Most for the price of a used thing where none was asked for: it is a value, and no sure one. Chosen: no benchmark
counts conditions."""
_CONDITIONS: Final[Mapping[Condition, str]] = {
    "new": "a new one", "used": "a used one", "refurbished": "a refurbished one", "open_box": "an open-box one",
}  # fmt: skip
"""What a price in another condition than the wanted one buys, as notes say it."""
_MODEL_CONFIDENCE: Final = 0.75
"""Confidence of a value that a model named and code found in its passage."""
_NAMED_CHARS: Final = 80
"""So much of a value that no passage states is shown in its note."""
_NEAR: Final = 0.9
"""A different value with this share of the best score contradicts it. Chosen: no benchmark counts contradictions."""


class _Rank(NamedTuple):
    """Where a candidate stands among those that answer: what speaks against it counts before its score."""

    is_elsewhere: bool
    """Its page names nothing of what the row says beside the name."""
    is_hearsay: bool
    is_other_condition: bool
    is_of_other_offer: bool
    is_other_unit: bool
    less_score: float

    @classmethod
    def of(cls, candidate: ColumnCandidate, column: ColumnSpec) -> "_Rank":
        """The smallest one is the best."""
        return cls(
            is_elsewhere=not candidate.place.is_page_of_context,
            is_hearsay=candidate.is_hearsay,
            is_other_condition=candidate.other_condition is not None,
            is_of_other_offer=candidate.is_of_other_offer,
            is_other_unit=bool(column.unit) and not candidate.stated.is_wanted_unit,
            less_score=-candidate.score,
        )


async def fill_columns(
    job: Job,
    pages: Sequence[StoredPage],
    embedder: Embedder,
    *,
    by: str,
    pick: PickValues | None = None,
    catalogue: Catalogue = NO_CATALOGUE,
) -> list[ColumnValue]:
    """The values of the job's columns, in their order.

    Args:
        job: its inputs have the columns.
        pages: the pages that it read, those that forbid quotes left out.
        embedder: compares questions with sentences.
        by: the name of the brain without a model.
        pick: asks a model, once, for what code leaves open; None: it stays open.
        catalogue: known vendors; where the row names one, its values are read from the vendor's pages.
    """
    columns = job.inputs.columns
    if not pages:
        return [_null(column, "no_pages", "no page was read", by) for column in columns]
    finder, found = await asyncio.to_thread(_find_places, job, pages, catalogue)
    texts = list(dict.fromkeys(candidate.place.asked_text for of in found.values() for candidate in of))
    vectors = await embedder.embed([*(column.question_text for column in columns), *texts])
    known = dict(zip(texts, vectors[len(columns) :], strict=True))
    for column, asked in zip(columns, vectors, strict=False):
        found[column.name] = [
            replace(candidate, meaning=cosine(asked, known[candidate.place.asked_text]))
            for candidate in found[column.name]
        ]
    found |= _of_one_offer(columns, found)
    values = {column.name: _value(column, found[column.name], by) for column in columns}
    wanted = [column for column in columns if values[column.name].value is None]
    shown = await asyncio.to_thread(shown_places, wanted, finder, found) if pick and wanted else []
    if pick and shown:
        picked = await pick(columns_view(job, wanted, shown))
        values |= await asyncio.to_thread(_values_of_model, wanted, values, picked, shown, finder)
    return [values[column.name] for column in columns]


def _find_places(
    job: Job, pages: Sequence[StoredPage], catalogue: Catalogue
) -> tuple[RowCandidateFinder, dict[str, list[ColumnCandidate]]]:
    finder = RowCandidateFinder(job, pages, catalogue)
    return finder, {column.name: finder.candidates(column) for column in job.inputs.columns}


def _of_one_offer(
    columns: Sequence[ColumnSpec], found: Mapping[str, Sequence[ColumnCandidate]]
) -> dict[str, list[ColumnCandidate]]:
    """The candidates, those of other offers marked where the page of the row's offer says it too.

    The offer is that of the first price, else of the first stock: a row with the price of a new thing and the stock of
    a used one is of none.
    """
    of_offers = [column for column in columns if column.type == "money"]
    of_offers += [column for column in columns if asks_stock(column)]
    ranked = (
        sorted((one for one in found[column.name] if _answers(one)), key=lambda one: _Rank.of(one, column))
        for column in of_offers
    )
    best = next((one for of in ranked for one in of[:1] if one.is_of_offer), None)
    marked = {}
    for column in columns:
        name, candidates = column.name, found[column.name]
        is_said = (
            best
            and column.type != "money"
            and any(_is_of_page(one, best) and _answers(one) for one in candidates)
        )
        marked[name] = [
            replace(candidate, is_of_other_offer=True)
            if best and is_said and candidate.is_of_offer and not _is_of_page(candidate, best)
            else candidate
            for candidate in candidates
        ]
    return marked


def _is_of_page(candidate: ColumnCandidate, other: ColumnCandidate) -> bool:
    return candidate.is_of_offer and candidate.place.page.sha == other.place.page.sha


def _answers(candidate: ColumnCandidate) -> bool:
    """Whether a candidate answers at all."""
    return candidate.place.is_about and candidate.score >= _LEAST


def _values_of_model(
    wanted: Sequence[ColumnSpec],
    values: dict[str, ColumnValue],
    picked: PickedValues,
    shown: Sequence[ValuePlace],
    finder: RowCandidateFinder,
) -> dict[str, ColumnValue]:
    """The values that a model named; one that its passage does not state stays null, with what was named as the note.

    Passages may be long, so it runs in a thread.
    """
    columns = {column.name: column for column in wanted}
    read: dict[str, ColumnValue] = {}
    for named in picked.found:
        if (column := columns.get(named.column)) is None:
            continue
        place = shown[named.passage]
        if candidate := confirmed(column, named, place, finder):
            read[named.column] = _value_or_null(column, candidate, None, _MODEL_CONFIDENCE, picked.by)
        else:
            fault = f"{picked.by} named {named.value[:_NAMED_CHARS]}, which its passage does not state"
            note = "; ".join(
                part for part in (values[named.column].note, f"{fault}: {place.page.final_url}") if part
            )
            read[named.column] = values[named.column].changed(reason="no_quote", note=note)
    return read


def _null(
    column: ColumnSpec, reason: ValueReason, note: str, by: str, candidates: Sequence[ColumnCandidate] = ()
) -> ColumnValue:
    """No value, with the reason, and the candidates that a person may take all the same."""
    return ColumnValue(
        name=column.name,
        type=column.type,
        reason=reason,
        note=note,
        by=by,
        alternatives=[_alternative(one) for one in candidates],
    )


def _alternative(candidate: ColumnCandidate) -> ColumnAlternative:
    place, stated = candidate.place, candidate.stated
    return ColumnAlternative(
        value=stated.value,
        unit=stated.unit,
        shown=stated.shown,
        quote=place.markdown,
        start=place.start,
        end=place.end,
        url=place.page.final_url,
        title=place.page.page.title,
        page_sha256=place.page.sha,
        fetched_at=place.page.fetched_at,
        other_shop=place.other_shop,
    )


def _value(column: ColumnSpec, found: Sequence[ColumnCandidate], by: str) -> ColumnValue:
    about = [candidate for candidate in found if candidate.place.is_about]
    ranked = sorted(
        (candidate for candidate in about if candidate.score >= _LEAST), key=lambda one: _Rank.of(one, column)
    )
    if not found:
        return _null(column, "not_found", "no page that was read states such a value", by)
    if not about:
        return _of_unnamed(column, found, by)
    if not ranked:
        return _null(column, "not_found", "no sentence about it answers the question", by)
    best = ranked[0]
    weak = max(
        (one for one in about if one.place.is_page_of_context), key=lambda one: one.score, default=None
    )
    if best.place.other_shop and weak:
        return _null(column, "unsure", _candidate_note(weak), by, [weak, best])
    if not best.stated.is_wanted_unit and column.unit:
        return _null(column, "unsure", f"numbers are found, but none in {column.unit}", by, [best])
    rival, denial = _contradicting(column, best, ranked), _denied_by_its_page(best, ranked)
    sure = _confidence(best) - _SELF_DENIED * (denial is not None)
    value = _value_or_null(column, best, rival, sure, by)
    others = _other_conditions(best, ranked)
    named = [f"{what}: {_shown(one)}: {one.place.page.final_url}" for what, one in others.items()]
    if denial:
        named.append(f'the same page says "{denial.place.text}"')
    return value.changed(
        note="; ".join(part for part in (value.note, *named) if part),
        alternatives=[*value.alternatives, *map(_alternative, others.values())],
    )


def _of_unnamed(column: ColumnSpec, found: Sequence[ColumnCandidate], by: str) -> ColumnValue:
    """No value, where no place that states one names the subject: one whose page does is a candidate for a person."""
    near = [candidate for candidate in found if candidate.place.may_be_about]
    if not near:
        return _null(column, "not_about", "pages state such values, but of something else", by)
    best = max(near, key=lambda one: one.score)
    if best.score < _LEAST:
        return _null(column, "not_found", "no sentence about it answers the question", by)
    return _null(column, "unsure", _candidate_note(best), by, [best])


def _other_conditions(
    best: ColumnCandidate, ranked: Sequence[ColumnCandidate]
) -> Mapping[str, ColumnCandidate]:
    """What the thing costs in each condition that was not asked for, by a page as reliable as the best one's."""
    able = [one for one in ranked if _is_as_reliable(one, best)]
    return {
        _CONDITIONS[one.other_condition]: one
        for one in reversed(able)
        if one.other_condition and one.other_condition != best.other_condition and _says_otherwise(one, best)
    }


def _confidence(best: ColumnCandidate) -> float:
    """How certain a value is before other pages are looked at: 0 to 1 by its score, less for what makes it doubtful."""
    sure = _LEAST_SURE + _MORE_SURE * min(1.0, (best.score - _LEAST) / _SPAN)
    if best.other_condition:
        sure = min(sure, _OTHER_CONDITION)
    if not best.stated.is_sure:
        sure -= _AMBIGUOUS
    if best.is_hearsay:
        sure -= _HEARSAY_PENALTY
    if not best.place.is_page_of_context:
        sure -= _ELSEWHERE
    return sure


def _contradicting(
    column: ColumnSpec, best: ColumnCandidate, ranked: Sequence[ColumnCandidate]
) -> ColumnCandidate | None:
    """What another page says with nearly as much weight; texts are compared in entries alone, where they are short.

    Two pages outside of the row's context may speak of two other things, or of two other shops.
    """
    if not best.place.is_page_of_context:
        return None
    return next(
        (
            candidate
            for candidate in ranked
            if candidate.place.page.sha != best.place.page.sha
            and _says_otherwise(candidate, best)
            and candidate.score >= _NEAR * best.score
            and _is_as_reliable(candidate, best)
            and candidate.other_condition == best.other_condition
            and not candidate.is_of_other_offer
            and (column.type != "text" or candidate.place.is_entry)
        ),
        None,
    )


def _denied_by_its_page(best: ColumnCandidate, ranked: Sequence[ColumnCandidate]) -> ColumnCandidate | None:
    """What the page of a stock says against it elsewhere: its data "in stock", its text "out of stock"."""
    if best.is_there is None:
        return None
    of_page = (one for one in ranked if _is_of_page(one, best) and one.is_there is not None)
    return next((one for one in of_page if one.is_there != best.is_there), None)


def _is_as_reliable(candidate: ColumnCandidate, best: ColumnCandidate) -> bool:
    """Whether a candidate is no hearsay beside a statement, and of a page within the row's context."""
    if candidate.is_hearsay != best.is_hearsay:
        return best.is_hearsay
    return candidate.place.is_page_of_context


def _says_otherwise(candidate: ColumnCandidate, best: ColumnCandidate) -> bool:
    """Whether two values differ; a price in another currency is one of another shop."""
    own, other = candidate.stated, best.stated
    return own.value != other.value and (own.unit == other.unit or not (own.unit and other.unit))


def _value_or_null(
    column: ColumnSpec, best: ColumnCandidate, rival: ColumnCandidate | None, sure: float, by: str
) -> ColumnValue:
    confidence = sure - _DENIED * (rival is not None)
    reason: ValueReason = "contradicted" if rival else ""
    notes = [f"another page says {_shown(rival)}: {rival.place.page.final_url}"] if rival else []
    if best.other_condition:
        notes = [_CONDITIONS[best.other_condition], "no offer in the wanted condition is found", *notes]
    if confidence < LEAST_CONFIDENCE:
        named = [best, rival] if rival else [best]
        return _null(column, reason or "unsure", "; ".join([_candidate_note(best), *notes]), by, named)
    return column_value(column, _alternative(best)).changed(
        confidence=round(confidence, 3),
        reason=reason,
        note="; ".join(notes),
        by=by,
        alternatives=[_alternative(rival)] if rival else [],
    )


def _candidate_note(candidate: ColumnCandidate) -> str:
    """What a candidate says and where, and whose page that is if the row names another shop."""
    place = candidate.place
    shop = [f"from another shop: {place.other_shop}"] if place.other_shop else []
    return "; ".join([f"only a candidate is found, {_shown(candidate)}: {place.page.final_url}", *shop])


def _shown(candidate: ColumnCandidate) -> str:
    return candidate.stated.shown or ("yes" if candidate.stated.value else "no")
