"""Read a question once: whether it asks for a value, in which unit, of what.

What is asked shows in the question word and in the noun that it stands with. The few words of each language that tell
it are in `data/<code>.toml`; all else is something `other`, which takes more than a value to answer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, Literal, cast

from research_crawler.text.languages.language import Language, language_of
from research_crawler.text.languages.numbers import unit_of
from research_crawler.text.languages.words import WORD, stem, terms
from research_crawler.text.questions.subject import Subject, subject_of

AnswerType = Literal["number", "date", "name", "place", "yes_no", "other"]

ASKING_KINDS: Final = frozenset({"name", "date", "place", "cause", "how", "which", "number"})
"""What question words ask for; the other kinds are of words that only help to ask."""
_SENTENCE: Final = re.compile(r"[^.?!\n]*+\?|[^\n]+")
_HEAD_WORDS: Final = 4
"""The noun that a question word stands with is among so many words behind it: "what is the average yearly cost"."""
_OPENING_WORDS: Final = 4
"""The question word is among the first words: "In the year of its opening, who …" has it later; see `_word_place`."""


@dataclass(frozen=True)
class Question:
    """A question with what code can tell of it."""

    text: str
    language: str
    answer_type: AnswerType
    unit: str
    """What an asked number measures (a dimension such as `length`), the unit that the question names, or the stem of
    what it counts; "" where the question leaves it open."""
    terms: tuple[str, ...]
    """Stems of its words, each once, without function words."""
    subject: Subject
    """Its names and numbers, to tell texts about it from texts about a sibling."""


@lru_cache(maxsize=4_096)
def parse_question(text: str, language: str = "en") -> Question:
    """Read a question, or a goal that asks something."""
    known = language_of(language)
    answer_type, unit = _asked(text, known)
    return Question(
        text=text,
        language=known.code,
        answer_type=answer_type,
        unit=unit,
        terms=tuple(dict.fromkeys(terms(text, language))),
        subject=subject_of(text, language=language),
    )


def measure_words(text: str, language: str = "en") -> set[str]:
    """Words behind "how" that ask for an amount or a time (`many`, `long`): a search for them finds what is long."""
    measures, kinds = _measures(language[:2]), _question_words(language[:2])
    low = [word.lower() for word in WORD.findall(text)]
    return {
        word
        for before, word in pairwise(low)
        if kinds.get(before) == "how" and measures.get(word) in ("number", "time")
    }


def _asked(text: str, language: Language) -> tuple[AnswerType, str]:
    sentences = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    asking = [part for part in sentences if part.endswith("?")] or sentences[:1]
    for sentence in asking:
        answer_type, unit = _asked_by(sentence, language)
        if answer_type != "other":
            return answer_type, unit
    return "other", ""


def _asked_by(sentence: str, language: Language) -> tuple[AnswerType, str]:
    low = [word.lower().replace("’", "'") for word in WORD.findall(sentence)]
    kinds = _question_words(language.code)
    place = _word_place(low, kinds, is_question=sentence.endswith("?"))
    if place < 0:
        is_choice = not set(low).isdisjoint(_list(language, "or"))
        is_yes_no = kinds.get(low[0] if low else "") == "yes_no" and sentence.endswith("?")
        return ("yes_no" if is_yes_no and not is_choice else "other"), ""
    kind, behind = kinds[low[place]], low[place + 1 :]
    if kind in ("name", "date", "place"):
        return cast(AnswerType, kind), ""
    if kind == "number":
        return "number", _counted(behind, language)
    if kind == "how":
        measure = _measures(language.code).get(behind[0], "") if behind else ""
        if not measure:
            return "other", ""
        if measure != "number":
            return "number", measure
        return "number", _counted(behind[1:], language) or _measure_in(behind[1:], language)
    return _by_noun(behind, language) if kind == "which" else ("other", "")


def _by_noun(behind: Sequence[str], language: Language) -> tuple[AnswerType, str]:
    """What "what" and "which" ask for: the noun behind them tells it."""
    measures, nouns = _measures(language.code), _nouns(language.code)
    for word in behind[:_HEAD_WORDS]:
        if word in measures:
            return "number", "" if measures[word] == "number" else measures[word]
        if nouns.get(word) in ("name", "date", "place"):
            return cast(AnswerType, nouns[word]), ""
        if unit := unit_of(word) if len(word) > 2 else None:
            return "number", unit.name
    return "other", ""


def _word_place(low: Sequence[str], kinds: Mapping[str, str], *, is_question: bool) -> int:
    """Where the question word stands; -1 without one. Within a question it may come late ("In 1990, who …?")."""
    asking = ASKING_KINDS
    if low and kinds.get(low[0]) in ("yes_no", "list"):
        return -1
    until = len(low) if is_question else min(len(low), _OPENING_WORDS)
    return next((at for at in range(until) if kinds.get(low[at]) in asking), -1)


def _counted(behind: Sequence[str], language: Language) -> str:
    """The unit, or the stem of what is counted, behind "how many"."""
    for word in behind[:2]:
        if unit := unit_of(word) if len(word) > 1 else None:
            return unit.name
        if word not in language.stop_words and _measures(language.code).get(word) not in (None, "number"):
            return _measures(language.code)[word]
        if word not in language.stop_words:
            return language.stem(word)
    return ""


def _measure_in(words: Sequence[str], language: Language) -> str:
    """What the first measure among some words is of: "how much does a ticket for the ferry cost" asks for money."""
    known = (_measures(language.code).get(word, "number") for word in words)
    return next((measure for measure in known if measure != "number"), "")


def _list(language: Language, key: str) -> list[str]:
    return str(language.data.get("question", {}).get(key, "")).split()


@cache
def _question_words(code: str) -> Mapping[str, str]:
    """What each question word of a language asks for."""
    words = language_of(code).data.get("question", {})
    order = ("or", "yes_no", "list", "which", "number", "how", "cause", "place", "date", "name")
    return {word: kind for kind in order for word in words.get(kind, "").split()}


@cache
def _nouns(code: str) -> Mapping[str, str]:
    nouns = language_of(code).data.get("question", {}).get("nouns", {})
    return {word: kind for kind, words in nouns.items() for word in words.split()}


@cache
def _values(code: str) -> Mapping[str, str]:
    values = language_of(code).data.get("values", {})
    return {word: kind for kind, words in values.items() for word in words.split()}


@cache
def _measures(code: str) -> Mapping[str, str]:
    measures = language_of(code).data.get("measures", {})
    return {word: kind for kind, words in measures.items() for word in words.split()}


def kind_words(kind: str, language: str = "en") -> frozenset[str]:
    """Stems of the words by which a question says no more than of which kind its answer is: `cost`, `many`, `year`.

    Args:
        kind: `money`, `number`, `date`, `text`, `version`, `description` or `type`; others have no such words.
        language: of the question.
    """
    tables = (_measures(language[:2]), _nouns(language[:2]), _values(language[:2]))
    return frozenset(
        stem(word, language) for table in tables for word, known in table.items() if known == kind
    )


def begins_as_clause(text: str, language: str = "en", *, verbs: bool = True) -> bool:
    """Whether a text begins as a question does: with a question word, also behind a preposition ("in which").

    Args:
        text: a sentence, or a clause of one.
        language: its language.
        verbs: whether a verb that asks for yes or no counts too ("can it …").
    """
    low = [word.lower().replace("’", "'") for word in WORD.findall(text)[:2]]
    kinds = _question_words(language_of(language).code)
    asking = ASKING_KINDS
    if not low:
        return False
    first = kinds.get(low[0], "")
    if first in asking or (verbs and first in ("yes_no", "list")):
        return True
    is_behind = len(low) > 1 and low[0] in language_of(language).stop_words and not first
    return is_behind and kinds.get(low[1]) in asking


def question_words_in(text: str, language: str = "en") -> list[int]:
    """The places of a text's question words among its words."""
    return list(question_kinds_in(text, language)[1])


def question_kinds_in(text: str, language: str = "en") -> tuple[list[str], dict[int, str]]:
    """The words of a text in small letters, and what each question word among them asks for, by its place."""
    kinds = _question_words(language_of(language).code)
    low = [word.lower().replace("’", "'") for word in WORD.findall(text)]
    return low, {place: kinds[word] for place, word in enumerate(low) if kinds.get(word) in ASKING_KINDS}


def be_words(language: str) -> frozenset[str]:
    """The forms of "to be" of a language that stand between what is asked for and its value."""
    return frozenset(_list(language_of(language), "be"))


def or_words(language: str) -> frozenset[str]:
    """The words of a language that stand between two things of which one is chosen."""
    return frozenset(_list(language_of(language), "or"))


def links_of(language: str) -> frozenset[str]:
    """The words of a language that join two clauses: "and", "but"."""
    return frozenset(_list(language_of(language), "links"))
