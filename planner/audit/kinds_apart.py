"""Say whether two answers are about two kinds of what a question names: small dogs and large dogs."""

from collections.abc import Collection
from itertools import pairwise
from typing import Final

from planner.audit.asked_numbers import asks_count
from planner.audit.lexicon.word_lists import WordList
from research_crawler.text.subject import subject_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

_ARTICLES: Final = frozenset(
    ("the", "a", "an", "our", "der", "die", "das", "le", "la", "el", "il", "de", "het")
)


_JOINING: Final = frozenset(("and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "i"))
_GROUPS: Final = WordList.of(
    "child, children, kids, pupils, student, students, adult, adults, senior, seniors, pensioners, members"
    ", groups, families"
    ", babies, infants, women, men, beginners, kinder, schüler, studenten"
    ", erwachsene, rentner"
    ", familien, enfants, étudiants, adultes, niños, estudiantes, adultos, bambini, studenti, adulti"
    ", kinderen, crianças"
    ", dzieci, lorries, coaches, motorcycles, cars, trucks"
)
"""Those for whom a price, a limit or a rule of their own may hold."""


def groups_apart(one: str, other: str, question: str) -> bool:
    """Whether one of two answers is for a group of which the other one and the question do not speak; a question that
    counts somebody may be answered by any word for them."""
    if asks_count(question):
        return False
    mine, theirs = _groups_alone(one), _groups_alone(other)
    return any(word not in question.lower() for word in mine ^ theirs)


def _groups_alone(text: str) -> set[str]:
    """The groups of a text that stand for themselves: children, but not "children and bags together"."""
    words = [word.lower() for word in WORD.findall(text)]
    joined = {word for word, behind in pairwise(words) if behind in _JOINING}
    return set(_GROUPS.found(text)) - joined


def modified_apart(one: str, other: str, question: str) -> bool:
    """Whether each of two texts speaks of another kind of what a question names: "small dogs", "large dogs"."""
    known = set(terms(question))
    subject = subject_of(question).words
    nouns = [_nouns_behind(text, subject) - set(WORD.findall(question)) for text in (one, other)]
    if nouns[0] and nouns[1] and nouns[0].isdisjoint(nouns[1]):
        return True
    mine, theirs = _modifiers(one, known), _modifiers(other, known)
    return any(mine[word].isdisjoint(theirs[word]) for word in mine.keys() & theirs.keys())


def _nouns_behind(text: str, subject: Collection[str]) -> set[str]:
    """The words behind a name that has an article before it: "server" of "the Zed server"."""
    found = set()
    for article, name, behind in zip(words := WORD.findall(text), words[1:], words[2:], strict=False):
        low = behind.lower()
        if article.lower() not in _ARTICLES or stem(name.lower()) not in subject or low in STOPWORDS:
            continue
        if low.isalpha() and behind[0].islower() and not low.endswith(("s", "ed")):
            found.add(low)
    return found


def _modifiers(text: str, known: set[str]) -> dict[str, set[str]]:
    """The words right before those that are known."""
    found: dict[str, set[str]] = {}
    for before, word in pairwise(WORD.finditer(text)):
        low, of = before[0].lower(), stem(word[0].lower())
        is_next = text[before.end() : word.start()].isspace()
        if is_next and of in known and low not in STOPWORDS and stem(low) not in known and low.isalpha():
            found.setdefault(of, set()).add(low)
    return found
