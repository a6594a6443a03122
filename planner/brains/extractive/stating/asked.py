"""Read what a sub-question asks, as passages are compared with it: its words, its names, and its kind."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from planner.brains.extractive.stating.asked_numbers import asks_count, counted_word, gives_asked_unit
from planner.brains.extractive.stating.things import Thing
from planner.goal.language import report_language
from planner.outline.kinds import asks_who, has_number, is_answer_kind, tells_way, tells_when
from planner.outline.making import FEW_WORDS
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.manual_words import with_manual_words
from research_crawler.text.query_words import is_code, query_words, said_words, settings_in
from research_crawler.text.ranking import cosine
from research_crawler.text.subject import subject_of
from research_crawler.text.words import ASKING, WORD, stem, terms

_COMMON: Final = 0.3
"""A name that so many findings have is what all of them are about; the others need not repeat it."""
_LEAST_WEIGHT: Final = 0.15
_OTHER_KIND, _UNNAMED_WHO = 0.5, 0.75
"""Factors for a passage without the kind of thing that is asked for, and for one that names nobody: "the state pays"
may say who."""
_CONTEXT: Final = 0.3
"""Weight of the words of the whole question, for a sub-question of few words: "What happens to the others?"."""
_GENERIC: Final = ASKING | frozenset(
    """
    compare comparison difference differences differ happen happens kind mean meaning means purpose reason reasons way
    ways unterschied unterschiede différence différences
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words that ask, and that no answer needs."""
_OF_SETTINGS: Final = frozenset(
    """
    command config configuration directive field function option parameter setting value values variable
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""What a setting is called beside its name."""
_WHAT_IT_DOES: Final = re.compile(
    r"\bwhat (?:(?:do|does|did) \S.{0,80}? (control|define|describe|determine|govern|influence|specify)(?= *\??$)"
    r"|(controls|defines|describes|determines|governs|influences|specifies)\b)",
    re.I,
)
"""The verb of a question that asks what a thing is for, which an answer says in another word: "What does `wal_level`
control?", "`wal_level` determines how much is written"."""
_BESIDE: Final = 3
"""How many words may stand between a number and what it counts."""
_MARKS: Final = "\"'“”()[],;:.?!|*"


@dataclass(frozen=True)
class Asked:
    """What a sub-question asks, as passages are compared with it."""

    text: str
    vector: Sequence[float]
    names: tuple[str, ...]
    """Names and code of it that a passage, or what stands above it, must have."""
    words: Mapping[str, float]
    """Its words with their weights, which are 1 in all."""
    meanings: Mapping[str, Sequence[float]]
    """The vectors of these words; none in a language that the packaged model does not know."""
    thing: Thing | None = None
    """What a passage must tell of, where things are compared."""
    settings: tuple[str, ...] = ()
    """The settings that it names: an entry of a manual says the rest without repeating the name."""

    def fit(self, piece: str) -> float:
        """1 for a piece with the kind of thing that is asked for, else less."""
        if not is_answer_kind(self.text, piece):
            is_who = asks_who(self.text)
            return _UNNAMED_WHO if is_who else _OTHER_KIND
        if gives_asked_unit(piece, self.text) is False:
            return _OTHER_KIND
        if not (tells_way(self.text, piece) and tells_when(self.text, piece)):
            return _OTHER_KIND
        is_counted = not asks_count(self.text) or _counts(counted_word(self.text), piece)
        return 1.0 if is_counted else _OTHER_KIND

    def share_said(self, stems: Collection[str]) -> float:
        """The weight of its words that are among these stems, 0 to 1."""
        return sum(weight for word, weight in self.words.items() if has_word(word, stems))


async def read_asked(
    question: str, told: str, findings: Sequence[Finding], embedder: Embedder, thing: Thing | None = None
) -> Asked:
    """What a sub-question asks.

    A word weighs by how much the meaning of the question changes without it, and by how few findings have it.

    Args:
        question: the sub-question in its own words.
        told: the same with what it needs of the whole question.
        findings: all that are known.
        embedder: one that remembers.
        thing: what it is about, if that is one of several that are compared.
    """
    question = with_manual_words(question)
    subject = subject_of(question)
    written = query_words(question)
    settings = tuple(settings_in(question))
    names = [word for word in written if is_code(word) or stem(word.lower()) in subject.words]
    generic = _GENERIC | _verb_of(question)
    if settings:  # the product and its version go without saying, and so does what kind of thing it is
        generic |= _OF_SETTINGS | {word.lower() for word in written if stem(word.lower()) in subject.words}
        generic |= {part.lower() for setting in settings for part in WORD.findall(setting.replace("_", " "))}
        names = list(settings)
    words = [word for word in written if not is_code(word) and word.lower() not in generic]
    if is_short := len(words) < FEW_WORDS:
        words = [word for word in said_words(question) if word.lower() not in generic]
    known = [every_stem(f"{one.title} {one.heading} {one.claim}") for one in findings]
    own = tuple(name for name in names if is_code(name) or _share(name, known) < _COMMON)
    if report_language(question) != "en":
        (vector,) = await embedder.embed([told])
        return Asked(
            question,
            vector,
            own,
            _shares({word: _rarity(word, known) for word in words}),
            {},
            thing,
            settings,
        )
    without = [" ".join(one for one in question.split() if not _is_word(one, word)) for word in words]
    vector, whole, *others = await embedder.embed([told, question, *without])
    weights = {
        word: max(0.01, 1 - cosine(whole, other)) * _rarity(word, known)
        for word, other in zip(words, others, strict=True)
    }
    shares = _shares(weights)
    if (
        is_short
        and shares
        and (context := [word for word in query_words(told) if word not in written + words])
    ):
        shares = {word: (1 - _CONTEXT) * share for word, share in shares.items()}
        shares |= dict.fromkeys(context, _CONTEXT / len(context))
    vectors = await embedder.embed(list(shares)) if shares else []
    return Asked(question, vector, own, shares, dict(zip(shares, vectors, strict=True)), thing, settings)


def _verb_of(question: str) -> frozenset[str]:
    """The verb that asks what a thing is for, if a question does that."""
    found = _WHAT_IT_DOES.search(question)
    return frozenset(verb.lower() for verb in found.groups() if verb) if found else frozenset()


def every_stem(text: str) -> frozenset[str]:
    """The stems of all words of a text, function words too."""
    return frozenset([*terms(text), *(stem(word.lower()) for word in WORD.findall(text))])


def has_word(word: str, stems: Collection[str]) -> bool:
    """Whether a word is among these stems: whole, or all parts of a compound (`auto-heal` is not `auto`)."""
    parts = [one for one in terms(word) if one != stem(word.lower())]
    return stem(word.lower()) in stems or (bool(parts) and all(one in stems for one in parts))


def _shares(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {word: weight / total for word, weight in weights.items()}


def _rarity(word: str, known: Sequence[Collection[str]]) -> float:
    """Inverse document frequency among the findings, 0 to 1, and never nothing."""
    most = len(known) + 1.0
    found = sum(has_word(word, stems) for stems in known)
    rare = math.log(most / (found + 0.5)) / math.log(most / 0.5)
    return _LEAST_WEIGHT + (1 - _LEAST_WEIGHT) * max(0.0, rare)


def _share(word: str, known: Sequence[Collection[str]]) -> float:
    return sum(has_word(word, stems) for stems in known) / len(known) if known else 0.0


def _counts(what: str, piece: str) -> bool:
    """Whether a number stands beside what is to be counted: "34 cabins", "7,400 people", "Cabins: 34"."""
    said = piece.split()
    wanted = stem(what.lower())
    places = [at for at, word in enumerate(said) if stem(word.strip(_MARKS).lower()) == wanted]
    return any(has_number(" ".join(said[max(0, at - _BESIDE) : at + _BESIDE + 1])) for at in places)


def _is_word(token: str, word: str) -> bool:
    return stem(token.strip(_MARKS).lower()) == stem(word.lower())
