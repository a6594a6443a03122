"""Read the values of a type that a text states, each as the text writes it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from planner.columns.value_places import whole_in
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.web.pages import Link
from research_crawler.extraction.products.price.currencies import named_in_words
from research_crawler.extraction.products.price.prose import named_prices
from research_crawler.text.languages.dates import dates
from research_crawler.text.languages.negation import is_negated
from research_crawler.text.languages.numbers import figures, unit_of
from research_crawler.text.languages.phrases import phrases_for
from research_crawler.text.languages.sentences import sentence_spans
from research_crawler.text.languages.words import WORD, stem, terms
from research_crawler.text.questions.asked_nouns import asked_nouns, asks_description
from research_crawler.text.questions.question import kind_words

Value = str | float | bool
_EMAIL: Final = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}(?![\w@])"
)
_URL: Final = re.compile(
    r"(?:https?://|(?<![\w@./-])www\.(?=[A-Za-z0-9-]{1,63}\.[A-Za-z0-9]))[^\s<>\"'`|\[\](){}]+", re.I
)
_DIGIT: Final = re.compile(r"\d")
_CLAUSE: Final = re.compile(r"[;:—–()]|,(?!\d)")
_MOST_COUNTABLE: Final = 10**15
"""A program can hold smaller numbers exactly: hundreds of digits are no price, and JSON cannot carry them."""
_BEHIND: Final = 3
"""Among so many words behind a number stands what it counts: "32 precision driver bits"."""
_LINK_CHARS: Final = 4
"""A shorter text of a link is found in too many sentences."""
_YES: Final = ("yes", "true", "✓", "✔", "✅", "☑", "in stock", "in stock, few left")
_NO: Final = ("false", "✗", "✘", "❌", "☒", "out of stock")
"""Marks behind a label, and how `extraction.products.stated` writes what a shop has in its data."""
_LABEL_CHARS: Final = 60
"""Longest text before a colon that is a label."""
_MOST_LABELLED_WORDS: Final = 15
"""What stands behind a label may be a list of places or a short description, but no paragraph."""
_LEAST_DESCRIBING, _MOST_DESCRIBING = 3, 60
"""A description in fewer words is a name, one in more no sentence."""


class AskedWords(NamedTuple):
    """The words of a question, by the stems of its language: texts are compared by these."""

    stems: frozenset[str] = frozenset()
    language: str = "en"


@dataclass(frozen=True)
class ValueInText:
    """A value as a text states it."""

    value: Value
    shown: str = ""
    """As the text writes it; "" for yes and no."""
    unit: str = ""
    start: int = 0
    """Where it stands in the text."""
    is_wanted_unit: bool = True
    """Of a number: whether the text gives it in the unit that was asked for, or in any unit where none was."""
    is_sure: bool = True
    """False where the text can be read in two ways."""


def stated_values(
    column: ColumnSpec,
    text: str,
    *,
    asked: AskedWords,
    language: str,
    territory: str,
    links: Sequence[Link] = (),
    label: str = "",
    subject: str = "",
) -> list[ValueInText]:
    """The values of the column's type that a text states.

    Args:
        column: its type, unit and choices.
        text: a sentence, an item or a row without Markdown marks.
        asked: the words of the column's question; of a text or yes and no those that say which value.
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
            return _countable(_numbers(column.unit.strip(), text, language, territory))
        case "date":
            return list(_dates(text, language))
        case "url":
            return list(_urls(text, links))
        case "email":
            found = ((match[0].rstrip("."), match.start()) for match in _EMAIL.finditer(text))
            return [ValueInText(shown, shown, start=start) for shown, start in found]
        case "yes_no":
            return list(_polarity(text, asked, language))
        case "choice":
            return list(_choices(text, column.choices))
        case "text":
            nouns = asked.stems & column_nouns(column, asked.language)
            phrases = dict.fromkeys(_phrases(text, label, asked, nouns, subject, language))
            fits = [(value, start) for value, start in phrases if _answers(value, asked, language)]
            return [ValueInText(value, value, start=start, is_sure=len(fits) == 1) for value, start in fits]


def column_nouns(column: ColumnSpec, language: str) -> frozenset[str]:
    """Stems of the nouns whose value a column asks for: by its question, and by its name."""
    texts = (column.question_text, column.name.replace("_", " "))
    asked = [noun for text in texts for noun in asked_nouns(text, language)]
    return frozenset(form for word in asked for form in terms(word, language))


def described_text(text: str) -> ValueInText | None:
    """The first sentence of a text that tells what a thing is or does; None if it is a word or two, or too long."""
    start, end = next(iter(sentence_spans(text)), (0, 0))
    value = text[start:end].strip()
    is_sentence = _LEAST_DESCRIBING <= len(value.split()) <= _MOST_DESCRIBING
    return ValueInText(value, value, start=start) if is_sentence else None


def copied_text(
    column: ColumnSpec, text: str, value: str, asked: AskedWords, language: str
) -> ValueInText | None:
    """A text value that a reader has copied; None if the text has not these words, or they are a sentence where the
    column asks for no description."""
    found = whole_in(value, text)
    most = (
        _MOST_DESCRIBING if asks_description(column.question_text, asked.language) else _MOST_LABELLED_WORDS
    )
    if not found or len(value.split()) > most or not _answers(value, asked, language):
        return None
    return ValueInText(found[0], found[0], start=found.start())


def _answers(value: str, asked: AskedWords, language: str) -> bool:
    """Whether a text can be the value: where a version is asked for, it has a number in digits and of no unit."""
    numbers = (figure for figure in figures(value, language) if not figure.unit and not figure.is_spelled)
    return asked.stems.isdisjoint(kind_words("version", asked.language)) or any(numbers)


def _phrases(
    text: str, label: str, asked: AskedWords, nouns: frozenset[str], subject: str, language: str
) -> Iterator[tuple[str, int]]:
    """What stands behind a label, or what a sentence says of what is asked for, with where it begins."""
    own, mark, rest = text.partition(":")
    if label and not text.startswith(label):
        yield from _labelled(text, 0, subject)
    elif not mark or not rest.strip() or len(own) > _LABEL_CHARS:
        yield from phrases_for(text, nouns, language, asked.language)
    elif asked.stems & set(terms(own, asked.language)):
        yield from _labelled(rest, len(own) + 1, subject)


def _labelled(text: str, offset: int, subject: str) -> Iterator[tuple[str, int]]:
    """What stands behind a label, without the name that a manual repeats: `Default: KeepAliveTimeout 5`."""
    value = text.strip().removesuffix(".").strip()
    if subject and value.lower().startswith(f"{subject.lower()} "):
        value = value[len(subject) + 1 :].strip()
    if value and len(value.split()) <= _MOST_LABELLED_WORDS:
        yield value, offset + text.index(value)


def _countable(found: Iterable[ValueInText]) -> list[ValueInText]:
    return [one for one in found if abs(float(one.value)) < _MOST_COUNTABLE]


def _amounts(text: str, currency: str, language: str, territory: str) -> Iterator[ValueInText]:
    """Amounts of money, also those whose currency is named in the words of the page's language: `50 Kronen`."""
    for price in named_prices(text, territory):
        mark, code, end = price.low.mark, price.low.currency, price.end
        if not mark and text[end:][:1].isspace():
            mark, code = named_in_words(text[end + 1 :], language, territory)
            end += 1 + len(mark)
        if mark and (not currency or code == currency.upper()):
            yield ValueInText(float(price.low.amount), text[price.start : end].strip(), code, price.start)


def _numbers(wanted: str, text: str, language: str, territory: str) -> Iterator[ValueInText]:
    """Numbers that are neither money nor dates; those of the wanted unit, converted into it."""
    taken = [(date.start, date.end) for date in dates(text, language)]
    taken += [(price.start, price.end) for price in named_prices(text, territory) if price.has_mark]
    measure = unit_of(wanted) if wanted else None
    for figure in figures(text, language):
        is_taken = any(start < figure.end and figure.start < end for start, end in taken)
        if figure.is_version or figure.is_spelled or figure.is_money or is_taken:
            continue
        value, unit, fits = figure.value, figure.unit, bool(figure.unit)
        if measure is not None and figure.unit:
            value, unit, fits = measure.of_base(figure.base), wanted, figure.dimension == measure.dimension
        elif wanted:  # "bits" are a unit, and parts of a kit
            behind = text[figure.start if figure.unit else figure.start + len(figure.text) :]
            words = WORD.findall(_DIGIT.split(behind, maxsplit=1)[0])[:_BEHIND]
            fits = stem(wanted) in map(stem, words)
            unit = wanted if fits else ""
        if fits or measure is None:
            is_sure = figure.kind in ("exact", "about")  # "up to 120 kg" is a bound
            yield ValueInText(float(f"{value:.10g}"), figure.text, unit, figure.start, fits, is_sure)


def _dates(text: str, language: str) -> Iterator[ValueInText]:
    """The dates of a text in ISO; of `3/4/2020` only the year is sure."""
    for date in dates(text, language):
        if date.year:
            month = date.month if not date.is_ambiguous else 0
            parts = [f"{date.year:04}", *(f"{part:02}" for part in (month, month and date.day) if part)]
            yield ValueInText("-".join(parts), date.text, start=date.start, is_sure=not date.is_ambiguous)


def _urls(text: str, links: Sequence[Link]) -> Iterator[ValueInText]:
    """The URLs that a text spells out, and the targets of links whose texts it has."""
    for match in _URL.finditer(text):
        shown = match[0].rstrip(".,;:!?*_")
        yield ValueInText(shown if "://" in shown else f"https://{shown}", shown, start=match.start())
    named: dict[str, set[str]] = {}
    for link in links:
        named.setdefault(" ".join(link.text.split()), set()).add(link.url)
    for shown, urls in named.items():
        if len(shown) >= _LINK_CHARS and len(urls) == 1 and shown in text and not _URL.search(shown):
            yield ValueInText(next(iter(urls)), shown, start=text.index(shown))


def _polarity(text: str, asked: AskedWords, language: str) -> Iterator[ValueInText]:
    """Yes or no: a mark at the end of a row or item, or whether the clause with the question's words denies."""
    bare = text.rstrip(" \t|.!")
    end = max(bare.rfind(mark) for mark in ":|–—") + 1
    mark = bare[end:].strip()
    is_no = mark.lower() in _NO or (bool(mark) and " " not in mark and is_negated(mark, language))
    if is_no or mark.lower() in _YES:
        yield ValueInText(not is_no, mark, start=text.index(mark, end))
        return
    clauses = [
        (len(asked.stems.intersection(terms(part, asked.language))), is_negated(part, language))
        for part in _CLAUSE.split(text)
    ]
    most = max(count for count, _ in clauses)
    denies = {denied for count, denied in clauses if count == most}
    if most:
        yield ValueInText(denies != {True}, is_sure=len(denies) == 1)


def _choices(text: str, choices: Sequence[str]) -> Iterator[ValueInText]:
    """The choices that a text names as whole words; one inside a longer one that is named too does not count."""
    named = {match.span(): (choice, match[0]) for choice in choices if (match := whole_in(choice, text))}
    kept = [
        span
        for span in sorted(named)
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in named)
    ]
    for span in kept:
        choice, shown = named[span]
        yield ValueInText(choice, shown, start=span[0], is_sure=len(kept) == 1)
