"""Read what a question of yes or no asks, and whether a statement answers it with yes or with no."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from planner.audit.lexicon.opposites import (
    Opposites,
    opposites_asked,
    opposites_of_form,
    turned_round,
    without_words,
)
from planner.audit.restrictions import is_one_of
from planner.goal.language import report_language, told_language
from planner.verify.polarity import Clause, denies, main_clauses_of
from research_crawler.text.agreement import LIGHT, denied_words, stems_of
from research_crawler.text.subject import Subject, subject_of
from research_crawler.text.words import STOPWORDS, WORD, stem, terms

SHARED_WITH_QUESTION: Final = 0.6
"""Least share of the question's words that one clause of the answer has."""
SHARED_BESIDE_OPPOSITE: Final = 0.5
"""The same without the property that the question asks for, where the answer names it or its opposite."""
_YES_OR_NO: Final = re.compile(
    r"(?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|should|may|must|shall"
    r"|ist|sind|war|waren|kann|können|hat|haben|wird|werden|darf|dürfen|muss|müssen|gibt|läuft|unterstützt"
    r"|est-ce|peut-on|est|sont|puede|es|son|tiene|è|sono|può|kan|kunnen|heeft|mag|mogen|pode|tem|czy)\b",
    re.I,
)
_ASKS_OPENLY: Final = re.compile(
    r"\b(?:wh\w+|how|was|wer|wie\w*|wo|wann|warum|welche\w*|qui|que|quoi|quel\w*|comment|combien|où|quand|pourquoi"
    r"|qué|quién\w*|cuál\w*|cómo|cu[aá]nt\w+|dónde|cuándo|chi|che|cosa|quale|quant\w+|come|dove|quando|perché|wat"
    r"|waar"
    r"|hoe\w*|wanneer|welke?|quem|qual|quais|onde|como|kto|co|jak\w*|gdzie|kiedy|ile|dlaczego|któr\w+)\b",
    re.I,
)
_AND: Final = re.compile(r"\s(?:and|und|et|y|e|en|i|oraz)\s")
_ASKS_PERMISSION: Final = re.compile(
    r"^\W?(?:can|may|must|should)\b|\b(?:allowed|permitted|legal|need|needs|required?|necessary|safe|suitable|ok)\b",
    re.I,
)
_ASKS_WHETHER_STILL: Final = re.compile(
    r"^(?:did|has|have)\b|\b(?:still|noch|toujours|encore|todavía|aún|sigue|ancora|nog|ainda|nadal|wciąż)\b",
    re.I,
)
_VALUING: Final = frozenset(("good", "ok", "okay", "right", "fine", "recommended"))
_COMPOUND: Final = re.compile(r"(?<=\w)-(?=(?:safe|friendly|proof|compatible|ready|resistant)\b)", re.I)
"""Of "thread-safe", "safe" is what is asked."""
_KIND: Final = re.compile(
    r"\bthe (?P<before>[a-z]{3,20})(?= (?-i:[A-Z]))"
    r"|(?P<name>(?-i:[A-Z0-9])[\w'’.-]{0,30}) (?P<behind>[a-z]{3,20})(?=[ ?])"
)
"""A word that says of what kind a name is: "the painter Ilse Varga", "the Ondal phone"."""
_GERMAN_KIND: Final = re.compile(
    r"\b(?:die|der|das|dem|den|im|am|zum)\s(?P<kind>[A-ZÄÖÜ][a-zäöüß]{2,20})\s(?=[A-ZÄÖÜ])"
)
_COMPOUND_START: Final = 4
"""Letters of a German noun that its compounds begin with."""
_LACKING: Final = re.compile(
    r"\b(?:without|ohne|sans|sin|senza|zonder|sem|bez)\s(?:(?:any|an?|jede[nrs]?|eine?n?|un[ae]?|een|uma?)\s)?"
    r"(?P<what>[^\W\d_]{3,})",
    re.I,
)
"""What is done without something else than what the question asks about is not denied."""
_HARMLESS: Final = re.compile(
    r"\bwithout\s(?:any\s|a\s)?(?:worr(?:y|ies|ying)|problems?|trouble|hesitation|difficult(?:y|ies)|fear"
    r"|risk|danger|doubt|harm"
    r"|exceptions?|hassle|fuss|concern)\b|\bohne (?:bedenken|sorge|probleme|gefahr)\b|\bsans (?:souci"
    r"|problème|crainte|danger)\b"
    r"|\bsin (?:problemas?|miedo|peligro)\b|\bsenza (?:problemi|timore|pericolo)\b",
    re.I,
)
"""What is done without worry is not denied."""
_PENALTY: Final = re.compile(
    r"\b(?:an?|the|heavy|hefty|high|steep) fines?\b|\b(?:be|are|is|get) fined\b|\bfines (?:of|for|up)\b", re.I
)
"""A fine that has to be paid says that nothing is fine."""
_WARNS: Final = re.compile(
    r"\W*(?:please\s)?(?:never|do\snot|don['’]t)\b"
    r"|.{0,60}\bno\s(?:service|support|way|option|possibility|access|provision|facilit|chance|entry|connection"
    r"|sale|plan|sign)"
    r"|.{0,80}\bnot\s(?:yet\s)?(?:possible|supported|available|provided|foreseen)\b",
    re.I,
)
"""What one should never do, or what there is no way to, is denied whatever the verb is."""
_POSSIBLE: Final = frozenset(map(stem, ("possible", "available", "supported", "provided", "foreseen")))
_LEAST_FOREIGN_WORDS: Final = 4
"""Words of a question without a function word that shows its language, which may begin with a verb of any language."""
_LIGHT_STEMS: Final = frozenset(map(stem, LIGHT))
_FUNCTION_STEMS: Final = frozenset(map(stem, STOPWORDS))


@dataclass(frozen=True)
class AskedYesOrNo:
    """What a question of yes or no asks."""

    question: str
    subject: Subject
    words: frozenset[str]
    qualities: tuple[tuple[Opposites, bool], ...]
    """The opposites of which it asks for one by a word, and whether that is the first."""
    by_form: tuple[Opposites, ...]
    """Those for whose first one it asks by its form."""
    is_denied: bool

    @property
    def kinds(self) -> frozenset[str]:
        """Words that say of what kind the subject is, which an answer may leave out: "the Ondal phone"."""
        found = {
            match["before"] or match["behind"]
            for match in _KIND.finditer(self.question)
            if match["before"] or stem(match["name"].lower()) in self.subject.words
        }
        return frozenset(found)

    @property
    def names(self) -> frozenset[str]:
        """The stems by which an answer must name its subject; where nouns have capitals, without those that say of what
        kind it is or what is asked of it."""
        if report_language(self.question) != "de":
            return self.subject.words
        pairs = (*(pair for pair, _ in self.qualities), *self.by_form)
        told = {part for pair in pairs for word in pair.told_by(self.question) for part in word.split()}
        kinds = {match["kind"].lower() for match in _GERMAN_KIND.finditer(self.question)}
        return (self.subject.words - set(map(stem, told | kinds))) or self.subject.words

    def is_about(self, text: str) -> bool:
        """Whether a text names what a question is about, be it in a compound: "Hundeverbot"."""
        known = stems_of(text)
        if report_language(self.question) == "de":
            return all(
                name in known or any(word.startswith(name[:_COMPOUND_START]) for word in known)
                for name in self.names
            )
        return self.names <= known

    @property
    def predicate(self) -> frozenset[str]:
        """What it asks of its subject."""
        left = self.words - self.subject.words - _LIGHT_STEMS
        return (left - set(map(stem, self.kinds))) or left

    @property
    def asks_permission(self) -> bool:
        """Whether it asks what may, can or must be done."""
        return _ASKS_PERMISSION.search(self.question) is not None

    @property
    def asks_whether_still(self) -> bool:
        """Whether it asks if something goes on or has happened, whenever that is."""
        return _ASKS_WHETHER_STILL.search(self.question) is not None

    @property
    def aspects(self) -> tuple[str, ...]:
        """The words for what it asks about besides its subject, its kind and the property."""
        pairs = (*(pair for pair, _ in self.qualities), *self.by_form)
        named = {part for pair in pairs for word in pair.told_by(self.question) for part in word.split()}
        words = (word.lower() for word in WORD.findall(self.question))
        return tuple(
            word
            for word in words
            if word not in STOPWORDS | self.kinds | named | LIGHT | _VALUING
            and stem(word) not in self.subject.words | _LIGHT_STEMS
            and not word[0].isdigit()
        )


@dataclass(frozen=True)
class YesOrNo:
    """A yes or a no."""

    is_yes: bool
    named: tuple[str, ...] = ()
    """The words of the question's quality, or of its opposite, by which it answers."""
    told: frozenset[str] = frozenset()
    """What its clause says, where it does not answer by a property."""
    is_sure: bool = True
    """Whether it has the words of the question; else it answers only if its words mean the same."""
    clause: str = ""
    """The part of the text that answers."""


def asked_yes_or_no(question: str) -> AskedYesOrNo | None:
    """What a question asks; None if it is none of yes or no, or names nothing."""
    question = _COMPOUND.sub(" ", question)
    bare = question.lstrip("¿ ")
    language = told_language(question)
    is_foreign = language not in ("", "en") or not question.isascii()
    is_foreign = is_foreign or (not language and len(question.split()) >= _LEAST_FOREIGN_WORDS)
    is_closed = bare.rstrip().endswith("?") and is_foreign and not _ASKS_OPENLY.search(bare)
    subject = subject_of(question)
    if not (_YES_OR_NO.match(bare) or is_closed) or not subject.words:
        return None
    is_denied = any(clause.denies for clause in main_clauses_of(question))
    found = opposites_asked(question)
    by_form = () if is_denied else tuple(opposites_of_form(bare))
    return AskedYesOrNo(
        question, subject, frozenset(terms(question)), tuple(found), by_form, is_denied and not found
    )


def answers_yes_or_no(asked: AskedYesOrNo, text: str) -> YesOrNo | None:
    """Whether a text says yes to a question; None if no clause of it tells what the question asks."""
    clauses = main_clauses_of(text)
    parts = [part for clause in clauses for part in _AND.split(clause.text)]
    loose: YesOrNo | None = None
    for pair, is_first in asked.qualities:
        if answer := _by_property(parts, pair, is_first=is_first):
            if _shares_rest(asked, pair, text):
                return answer
            loose = loose or answer
    for pair in asked.by_form:
        loose = loose or _by_property(parts, pair, is_first=True)
    answer = _by_clause(asked, clauses)
    if answer and (loose is None or loose.is_yes == answer.is_yes):
        return answer
    return replace(loose, is_sure=False) if loose else None


def _by_property(parts: Sequence[str], pair: Opposites, *, is_first: bool) -> YesOrNo | None:
    """The answer of the first part of a text that tells one of two opposites."""
    for told in parts:
        part = _PENALTY.sub(" penalty ", _HARMLESS.sub(" ", told))
        side = pair.side_of(part)
        if side is not None:
            found = pair.told_by(part)
            is_yes = (side == is_first) != denies(without_words(part, found))
            return YesOrNo(is_yes, tuple(found), clause=told)
    return None


def _by_clause(asked: AskedYesOrNo, clauses: Sequence[Clause]) -> YesOrNo | None:
    """The answer of the clause that has most words of a question, by whether it denies them."""
    best = max(clauses, key=lambda one: _shared(one, asked.words), default=None)
    if best is None:
        return None
    turned = turned_round(best.text, asked.words)
    wanted = asked.subject.words | asked.predicate
    shared = sum(is_one_of(word, best.terms) or word in turned for word in wanted)
    if shared < SHARED_WITH_QUESTION * len(wanted) or not _tells_predicate(asked, best, turned):
        return None
    is_no = denies(
        _LACKING.sub(lambda match: match[0] if asked.words & set(terms(match["what"])) else " ", best.text)
    )
    is_yes = (is_no + bool(turned) + asked.is_denied) % 2 == 0
    return YesOrNo(is_yes, told=best.terms | turned, clause=best.text)


def tells_something_else(asked: AskedYesOrNo, one: YesOrNo, other: YesOrNo) -> bool:
    """Whether an answer is about something else than what is asked: "resist salt water" for "resist frost"."""
    known = asked.words | other.told | _LIGHT_STEMS | _POSSIBLE
    lacks = any(not is_one_of(word, one.told) for word in asked.predicate)
    return bool(one.told) and lacks and any(not is_one_of(word, known) for word in one.told)


def _shares_rest(asked: AskedYesOrNo, pair: Opposites, text: str) -> bool:
    """Whether an answer has what the question has beside the property."""
    own = terms(without_words(asked.question, list(pair.one.found(asked.question))))
    rest = [word for word in own if not pair.other.is_in(word)]
    known = set(terms(text))
    return sum(is_one_of(word, known) for word in rest) >= SHARED_BESIDE_OPPOSITE * len(rest)


def _tells_predicate(asked: AskedYesOrNo, clause: Clause, turned: set[str]) -> bool:
    """Whether a clause says something of what is asked, and denies that if it denies anything."""
    if asked.predicate and not turned and not any(is_one_of(one, clause.terms) for one in asked.predicate):
        return False
    denied = denied_words(clause.text) if clause.denies and not _WARNS.match(clause.text) else set()
    return not denied or bool(denied & asked.words) or denied <= _FUNCTION_STEMS


def _shared(clause: Clause, words: frozenset[str]) -> int:
    return sum(is_one_of(word, clause.terms) for word in words)
