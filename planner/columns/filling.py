"""Fill the columns of a job from its pages without a model: for each the best supported value, or null with a reason.

The type decides which places of the pages are looked at; meaning (embedding), the question's rare words and what the
place is about decide which of them answers.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from planner.columns.places import ValuePlace, value_places
from planner.columns.subject import IS_ABOUT, ColumnSubject
from planner.columns.typed import StatedValue, stated_values
from planner.text.ranking import cosine
from planner.text.words import terms
from research_crawler.core.models.columns import ColumnSpec, ColumnType, ColumnValue
from research_crawler.core.models.jobs import Job
from research_crawler.core.models.pages import StoredPage
from research_crawler.core.ports.models import Embedder
from research_crawler.core.web.urls import host_of
from research_crawler.extraction.products.price.currencies import territory_of

MOST_WEIGHED: Final = 24
"""Most places that are embedded for a column."""
_MEANING, _WORDS, _DIRECT = 0.45, 0.35, 0.2
_BESIDE: Final = 0.42
"""So much of its score keeps a sentence about a part of the subject, or about a thing beside it."""
_PREFIX: Final = 4
_NAMED: Final = 0.3
"""So much more of the question's words has a place that calls a URL by its kind: "website", "homepage"."""
_OF_PEOPLE: Final = 0.7
_WINDOW: Final = 40
"""Characters around a value whose words say most of it, where a sentence has several values."""
_UNSAID: Final = 0.06
"""A place without any of the question's own words must be so much nearer in meaning."""
_LEAST: Final[Mapping[ColumnType, float]] = {
    "text": 0.42, "number": 0.36, "money": 0.34, "date": 0.36, "yes_no": 0.45, "choice": 0.38, "url": 0.34,
    "email": 0.30,
}  # fmt: skip
"""The least score of a place that answers. Swept on the open half of the benchmark `columns`."""
_SAID: Final = 0.5
"""A sentence says yes or no to a question only with so much of its words."""
_NEAR: Final = 0.9
"""A different value with this share of the best score contradicts it."""
_GENERIC: Final[Mapping[ColumnType, str]] = {
    "text": "",
    "number": "much many number count total amount long large big size high",
    "money": "cost price much pay charge amount expensive sell sold buy",
    "date": "date day year month time when",
    "yes_no": "support offer have include available",
    "choice": "kind type which category",
    "url": "website site page link url address homepage web online",
    "email": "email mail e-mail address contact reach",
}
"""Words of a question that every value of the type answers; the others say which value is meant."""
_QUOTE_CHARS: Final = 600


@dataclass(frozen=True)
class ColumnCandidate:
    """A value that a place states, and how well the place answers the column's question."""

    spot: ValuePlace
    stated: StatedValue
    words: float
    """Weighted share of the question's own words."""
    about: float
    direct: float
    meaning: float = 0.0

    @property
    def score(self) -> float:
        """0 to 1."""
        total = (_MEANING * self.meaning + _WORDS * self.words + _DIRECT) * (
            _BESIDE + (1 - _BESIDE) * self.direct
        )
        unit = 1.0 if self.stated.is_wanted_unit else 0.8
        return max(0.0, total) * unit * (1.0 if self.stated.is_sure else 0.9)


async def fill_columns(
    job: Job, pages: Sequence[StoredPage], embedder: Embedder, *, by: str
) -> list[ColumnValue]:
    """The values of the job's columns, in their order.

    Args:
        job: its inputs have the columns.
        pages: the pages that it read, those that forbid quotes left out.
        embedder: compares questions with sentences.
        by: the name of the brain.
    """
    columns = job.inputs.columns
    if not pages:
        return [null_value(column, "no_pages", "no page was read", by) for column in columns]
    found = await asyncio.to_thread(_candidates, job, pages)
    texts = list(dict.fromkeys(one.spot.asked_text for of in found.values() for one in of))
    vectors = await embedder.embed([*(column.asks for column in columns), *texts])
    asked = dict(zip((column.name for column in columns), vectors, strict=False))
    known = dict(zip(texts, vectors[len(columns) :], strict=True))
    return [
        _value(column, _with_meaning(found[column.name], asked[column.name], known), by) for column in columns
    ]


def null_value(column: ColumnSpec, reason: str, note: str, by: str) -> ColumnValue:
    """No value, with the reason."""
    return ColumnValue.model_validate(
        {"name": column.name, "type": column.type, "reason": reason, "note": note, "by": by}
    )


def _candidates(job: Job, pages: Sequence[StoredPage]) -> dict[str, list[ColumnCandidate]]:
    """By column: the best places that state a value of its type. Pure work, for a thread of its own."""
    spots = [spot for page in pages for spot in value_places(page)]
    subject = ColumnSubject(job.inputs, spots)
    about = [subject.about(spot) for spot in spots]
    stems = [frozenset(terms(spot.asked_text)) for spot in spots]
    rarity = _rarity(stems)
    places = [_place_of(spot.page) for spot in spots]
    found: dict[str, list[ColumnCandidate]] = {}
    for column in job.inputs.columns:
        asked = frozenset(terms(f"{column.asks} {column.name.replace('_', ' ')}"))
        generic = frozenset(terms(_GENERIC[column.type]))
        wanted = _distinct_stems(asked - subject.words - generic)
        weights = {word: rarity.get(word, max(rarity.values(), default=1.0)) for word in wanted}
        candidates = [
            ColumnCandidate(spot, stated, words, about[n], direct)
            for n, spot in enumerate(spots)
            for stated, words, direct in _stated(
                column, spot, _Asked(asked, generic, weights), subject, places[n]
            )
        ]
        candidates.sort(key=lambda one: -(one.words + one.direct + 3 * (one.about >= IS_ABOUT)))
        found[column.name] = candidates[:MOST_WEIGHED]
    return found


@dataclass(frozen=True)
class _Asked:
    """The words of a column's question."""

    all: frozenset[str]
    generic: frozenset[str]
    """Those that every value of its type answers."""
    own: Mapping[str, float]
    """The others, by their rarity: they say which value is meant."""


def _stated(
    column: ColumnSpec, spot: ValuePlace, asked: _Asked, subject: ColumnSubject, place: tuple[str, str]
) -> Iterator[tuple[StatedValue, float, float]]:
    """The values that a place states, each with its share of the question's words and its directness."""
    language, territory = place
    links = spot.page.page.links
    found = stated_values(
        column, spot.text, asked=asked.all, language=language, territory=territory, links=links
    )
    if not found:
        return
    direct = subject.directness(spot, asked.all | asked.generic)
    if column.type in (
        "email",
        "url",
    ):  # people write to an address, and open a page: they begin the sentence
        direct = max(direct, _OF_PEOPLE)
    said = frozenset(terms(spot.asked_text))
    whole = _words_share(asked.own, said)
    if column.type == "url" and asked.all & asked.generic & said:
        whole = min(1.0, whole + _NAMED)
    for stated in found:
        if _contains(spot, stated):
            near = spot.text[max(0, stated.start - _WINDOW) : stated.start + len(stated.shown) + _WINDOW]
            local = (
                _words_share(asked.own, frozenset(terms(f"{spot.label} {near}"))) if len(found) > 1 else whole
            )
            yield stated, (whole + local) / 2, direct


def _contains(spot: ValuePlace, stated: StatedValue) -> bool:
    """Whether the quote has the value as it is shown; yes and no stand in the sentence as a whole."""
    if len(spot.markdown) > _QUOTE_CHARS:
        return False
    return not stated.shown or stated.shown in spot.markdown or stated.shown in " ".join(spot.text.split())


def _place_of(page: StoredPage) -> tuple[str, str]:
    """Language and country of a page."""
    tld = host_of(page.final_url).rpartition(".")[2]
    language = page.page.language
    return language, territory_of(language, tld if tld.isalpha() else "")


def _distinct_stems(words: Iterable[str]) -> set[str]:
    """The words without those that another one begins: `fold` stands for `foldabl` too."""
    kept: set[str] = set()
    for word in sorted(words, key=len):
        if not any(len(short) >= _PREFIX and word.startswith(short) for short in kept):
            kept.add(word)
    return kept


def _rarity(stems: Sequence[frozenset[str]]) -> dict[str, float]:
    counts: defaultdict[str, int] = defaultdict(int)
    for words in stems:
        for word in words:
            counts[word] += 1
    return {word: math.log(1 + len(stems) / count) for word, count in counts.items()}


def _words_share(weights: Mapping[str, float], has: frozenset[str]) -> float:
    """The weighted share of the question's own words that a place has; in the middle where it has none of its own."""
    total = sum(weights.values())
    if not total:
        return 0.5
    return sum(weight for word, weight in weights.items() if _is_said(word, has)) / total


def _is_said(word: str, has: frozenset[str]) -> bool:
    return word in has or (len(word) >= _PREFIX and any(other.startswith(word) for other in has))


def _with_meaning(
    found: Sequence[ColumnCandidate], question: Sequence[float], vectors: Mapping[str, Sequence[float]]
) -> list[ColumnCandidate]:
    return [replace(one, meaning=cosine(question, vectors[one.spot.asked_text])) for one in found]


def _value(column: ColumnSpec, found: Sequence[ColumnCandidate], by: str) -> ColumnValue:
    if not found:
        return null_value(
            column, "not_found", f"no page that was read states a value of type {column.type}", by
        )
    about = [one for one in found if one.about >= IS_ABOUT]
    if not about:
        return null_value(column, "not_about", "pages state such values, but of something else", by)
    ranked = sorted(about, key=lambda one: -one.score)
    best, least = ranked[0], _LEAST[column.type]
    if best.score < least + _UNSAID * (best.words == 0) or (column.type == "yes_no" and best.words < _SAID):
        return null_value(column, "not_found", "no sentence about it answers the question", by)
    if not best.stated.is_wanted_unit and column.unit:
        return null_value(column, "unsure", f"numbers are found, but none in {column.unit}", by)
    same = [one for one in ranked if one.stated.value == best.stated.value and one.score >= least]
    other = next((one for one in ranked if one.stated.value != best.stated.value), None)
    return _told(column, best, same, other if other and other.score >= _NEAR * best.score else None, by)


def _told(
    column: ColumnSpec,
    best: ColumnCandidate,
    same: Sequence[ColumnCandidate],
    other: ColumnCandidate | None,
    by: str,
) -> ColumnValue:
    hosts = {host_of(one.spot.page.final_url) for one in same}
    is_contradicted = (
        other is not None and other.spot.page.sha != best.spot.page.sha and column.type != "text"
    )
    sure = 0.55 + 0.35 * min(1.0, (best.score - _LEAST[column.type]) / 0.4) + 0.1 * (len(hosts) > 1)
    confidence = max(0.05, sure - 0.3 * is_contradicted - 0.15 * (not best.stated.is_sure))
    note = (
        f"another page says {other.stated.shown or other.stated.value}: {other.spot.page.final_url}"
        if (other and is_contradicted)
        else ""
    )
    page = best.spot.page
    return ColumnValue(
        name=column.name,
        type=column.type,
        value=best.stated.value,
        unit=best.stated.unit,
        shown=best.stated.shown,
        quote=best.spot.markdown,
        start=best.spot.start,
        end=best.spot.end,
        url=page.final_url,
        title=page.page.title,
        page_sha256=page.sha,
        fetched_at=page.fetched_at,
        confidence=round(min(1.0, confidence), 3),
        reason="contradicted" if is_contradicted else "",
        note=note,
        by=by,
    )
