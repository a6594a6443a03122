"""Read the values of a type that a text states, each as the text writes it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.web.pages import Link
from research_crawler.extraction.products.price.currencies import named_in_words
from research_crawler.extraction.products.price.prose import named_prices
from research_crawler.text.languages.dates import Date, dates
from research_crawler.text.languages.negation import is_negated
from research_crawler.text.languages.numbers import Figure, Measure, figures, unit_of
from research_crawler.text.languages.phrases import phrases_for
from research_crawler.text.languages.words import stem, terms
from research_crawler.text.questions.question import kind_words

Value = str | float | bool
_COUNTED: Final = re.compile(r"[\s-]*([^\W\d_]+)(?:[\s-]([^\W\d_]+))?(?:[\s-]([^\W\d_]+))?")
"""The words behind a number, of which one may say what it counts: "32 precision driver bits"."""
_EMAIL: Final = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}(?![\w@])"
)
_URL: Final = re.compile(r"https?://[^\s<>\"'`|\[\](){}]+", re.I)
_BARE_URL: Final = re.compile(
    r"(?<![\w@./-])www\.[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}(?:/[^\s<>\"'`|\[\](){}]*)?"
)
_CLAUSE: Final = re.compile(r"[;:—–()]|,(?!\d)")
_MOST_COUNTABLE: Final = 10**15
_LINK_CHARS: Final = 4
"""A shorter text of a link is found in too many sentences."""
_YES: Final = ("yes", "true", "✓", "✔", "✅", "☑", "in stock", "in stock, few left")
_NO: Final = ("false", "✗", "✘", "❌", "☒", "out of stock")
"""Marks behind a label, and how `extraction.products.stated` writes what a shop has in its data."""
_LABEL_CHARS: Final = 60
_MOST_LABELLED_WORDS: Final = 15
"""What stands behind a label may be a list of places or a short description, but no paragraph."""


@dataclass(frozen=True)
class StatedValue:
    """A value as a text states it."""

    value: Value
    shown: str = ""
    """As the text writes it; "" for yes and no."""
    unit: str = ""
    start: int = 0
    """Where it stands in the text."""
    is_wanted_unit: bool = True
    """Whether the text gives it in the unit that was asked for, or none was."""
    is_sure: bool = True
    """False where the text can be read in two ways."""


def stated_values(
    column: ColumnSpec,
    text: str,
    *,
    asked: frozenset[str],
    language: str,
    territory: str,
    links: Sequence[Link] = (),
    label: str = "",
    subject: str = "",
) -> list[StatedValue]:
    """The values of the column's type that a text states.

    Args:
        column: its type, unit and choices.
        text: a sentence, an item or a row without Markdown marks.
        asked: stems of the words of the column's question; of a text or yes and no those that say which value.
        language: of the page, which says what 1.200 means.
        territory: country of the page, which says what "$" means.
        links: of the page; a link whose text stands in this one is a URL that it gives.
        label: what stands before the text and names it.
        subject: the name of what is asked about.
    """
    match column.type:
        case "money":
            return _countable(_amounts(text, column.unit, language, territory))
        case "number":
            return _countable(_numbers(column, text, asked, language, territory))
        case "date":
            return list(_dates(text, language))
        case "url":
            return list(_urls(text, links))
        case "email":
            return [
                StatedValue(match[0].rstrip("."), match[0].rstrip("."), start=match.start())
                for match in _EMAIL.finditer(text)
            ]
        case "yes_no":
            return list(_polarity(text, asked, language))
        case "choice":
            return list(_choices(text, column.choices))
        case "text":
            phrases = dict.fromkeys(_phrases(text, label, asked, subject, language))
            found = [(value, start) for value, start in phrases if _answers(value, asked, language)]
            return [StatedValue(value, value, start=start, is_sure=len(found) == 1) for value, start in found]


def copied_text(text: str, value: str, asked: frozenset[str], language: str) -> StatedValue | None:
    """A text value that a reader has copied; None if the text has not these words, or they are a sentence."""
    start = _whole_word(text.casefold(), value)
    shown = text[start : start + len(value)]
    is_copied = start >= 0 and shown.casefold() == value.casefold()  # case folding may lengthen a text
    if not is_copied or len(value.split()) > _MOST_LABELLED_WORDS or not _answers(value, asked, language):
        return None
    return StatedValue(shown, shown, start=start)


def _answers(value: str, asked: frozenset[str], language: str) -> bool:
    """Whether a text can be the value: where a version is asked for, it has a number."""
    return asked.isdisjoint(kind_words("version")) or _has_version(value, language)


def _phrases(
    text: str, label: str, asked: frozenset[str], subject: str, language: str
) -> Iterator[tuple[str, int]]:
    """What stands behind a label, or what a sentence says of what is asked for, with where it begins."""
    own, mark, rest = text.partition(":")
    if label and not text.startswith(label):
        yield from _labelled(text, 0, subject)
    elif mark and rest.strip() and len(own) <= _LABEL_CHARS:
        if asked & set(terms(own)):
            yield from _labelled(rest, len(own) + 1, subject)
    else:
        yield from phrases_for(text, asked, language)


def _has_version(text: str, language: str) -> bool:
    """Whether a text has a number that can be one of a version: in digits, and of no unit."""
    return any(not figure.unit and not figure.is_spelled for figure in figures(text, language))


def _labelled(text: str, offset: int, subject: str) -> Iterator[tuple[str, int]]:
    """What stands behind a label, without the name that a manual repeats: `Default: KeepAliveTimeout 5`."""
    value = text.strip().removesuffix(".").strip()
    if subject and value.lower().startswith(f"{subject.lower()} "):
        value = value[len(subject) + 1 :].strip()
    if value and len(value.split()) <= _MOST_LABELLED_WORDS:
        yield value, offset + text.index(value)


def _countable(found: Iterable[StatedValue]) -> list[StatedValue]:
    """The values that a program can hold exactly: hundreds of digits are no price, and JSON cannot carry them."""
    return [one for one in found if abs(float(one.value)) < _MOST_COUNTABLE]


def _amounts(text: str, currency: str, language: str, territory: str) -> Iterator[StatedValue]:
    """Amounts of money, also those whose currency is named in the words of the page's language: `50 Kronen`."""
    for price in named_prices(text, territory):
        mark, code, end = price.low.mark, price.low.currency, price.end
        if not mark:
            gap = text[end:][:1].isspace()
            mark, code = named_in_words(text[end + gap :], language, territory) if gap else ("", "")
            end += gap + len(mark)
        if mark and (not currency or code == currency.upper()):
            yield StatedValue(float(price.low.amount), text[price.start : end].strip(), code, price.start)


def _numbers(
    column: ColumnSpec, text: str, asked: frozenset[str], language: str, territory: str
) -> Iterator[StatedValue]:
    """Numbers that are neither money nor dates; those of the wanted unit, converted into it."""
    taken = [(date.start, date.end) for date in dates(text, language)]
    taken += [(price.start, price.end) for price in named_prices(text, territory) if price.has_mark]
    wanted = column.unit.strip()
    unit = unit_of(wanted) if wanted else None
    for figure in figures(text, language):
        is_taken = any(start < figure.end and figure.start < end for start, end in taken)
        if figure.is_version or figure.is_spelled or figure.is_money or is_taken:
            continue
        if unit is not None and figure.unit:
            if figure.dimension == unit.dimension:
                yield _in_unit(figure, unit, wanted)
        elif wanted:  # "bits" are a unit, and parts of a kit
            counted = _counting(figure, text, wanted)
            if unit is None or counted.is_wanted_unit:
                yield counted
        else:
            is_wanted = bool(figure.unit) or figure.counted in asked
            yield _stated(figure, figure.value, figure.unit, is_wanted_unit=is_wanted)


def _in_unit(figure: Figure, unit: Measure, wanted: str) -> StatedValue:
    return _stated(figure, unit.of_base(figure.base), wanted)


def _counting(figure: Figure, text: str, wanted: str) -> StatedValue:
    """A number that may count what is wanted, which stands among the three words behind it."""
    behind = _COUNTED.match(text, figure.start + len(figure.text) if not figure.unit else figure.start)
    words = [word.lower() for word in behind.groups() if word] if behind else []
    fits = any(stem(word) == stem(wanted) for word in words)
    return _stated(figure, figure.value, wanted if fits else "", is_wanted_unit=fits)


def _stated(figure: Figure, value: float, unit: str, *, is_wanted_unit: bool = True) -> StatedValue:
    is_sure = figure.kind in ("exact", "about")  # "up to 120 kg" is a bound
    shown = figure.text
    return StatedValue(_rounded(value), shown, unit, figure.start, is_wanted_unit, is_sure)


def _rounded(value: float) -> float:
    return float(f"{value:.10g}")


def _dates(text: str, language: str) -> Iterator[StatedValue]:
    """The dates of a text; of `3/4/2020` only the year is sure."""
    for date in dates(text, language):
        if date.year and date.is_ambiguous:
            yield StatedValue(f"{date.year}", date.text, start=date.start, is_sure=False)
        elif date.year:
            yield StatedValue(_iso(date), date.text, start=date.start)


def _iso(date: Date) -> str:
    parts = [f"{date.year:04}"]
    parts += [f"{date.month:02}"] if date.month else []
    parts += [f"{date.day:02}"] if date.month and date.day else []
    return "-".join(parts)


def _urls(text: str, links: Sequence[Link]) -> Iterator[StatedValue]:
    """The URLs that a text spells out, and the targets of links whose texts it has."""
    for match in [*_URL.finditer(text), *_BARE_URL.finditer(text)]:
        shown = match[0].rstrip(".,;:!?*_")
        yield StatedValue(shown if "://" in shown else f"https://{shown}", shown, start=match.start())
    named: dict[str, set[str]] = {}
    for link in links:
        named.setdefault(" ".join(link.text.split()), set()).add(link.url)
    for shown, urls in named.items():
        if len(shown) >= _LINK_CHARS and len(urls) == 1 and shown in text and not _URL.search(shown):
            yield StatedValue(next(iter(urls)), shown, start=text.index(shown))


def _polarity(text: str, asked: frozenset[str], language: str) -> Iterator[StatedValue]:
    """Yes or no: a mark at the end of a row or item, or whether the clause with the question's words denies."""
    bare = text.rstrip(" \t|.!")
    end = max(bare.rfind(mark) for mark in ":|–—")
    mark = bare[end + 1 :].strip()
    is_no = mark.lower() in _NO or (bool(mark) and " " not in mark and is_negated(mark, language))
    if is_no or mark.lower() in _YES:
        yield StatedValue(not is_no, mark, start=text.index(mark, end + 1))
        return
    parts = [part for part in _CLAUSE.split(text) if part.strip()]
    clauses = [(len(asked.intersection(terms(part))), is_negated(part)) for part in parts]
    most, denies = max(clauses, key=lambda one: one[0], default=(0, False))
    if most:
        same = {denied for count, denied in clauses if count == most}
        yield StatedValue(not denies, is_sure=len(same) == 1)


def _choices(text: str, choices: Sequence[str]) -> Iterator[StatedValue]:
    """The choices that a text names as whole words; one inside a longer one that is named too does not count."""
    low = text.casefold()
    spans = [
        (start, start + len(choice), choice) for choice in choices if (start := _whole_word(low, choice)) >= 0
    ]
    kept = [
        span
        for span in spans
        if not any(longer != span and longer[0] <= span[0] and span[1] <= longer[1] for longer in spans)
    ]
    for start, end, choice in kept:
        yield StatedValue(
            choice, text[start:end] if len(low) == len(text) else choice, start=start, is_sure=len(kept) == 1
        )


def _whole_word(low: str, choice: str) -> int:
    """Where a choice stands in a text as whole words; -1 if it does not."""
    wanted, at = choice.casefold(), -1
    while (at := low.find(wanted, at + 1)) >= 0:
        around = low[at - 1 : at] + low[at + len(wanted) : at + len(wanted) + 1]
        if not any(char.isalnum() or char == "_" for char in around):
            return at
    return -1
