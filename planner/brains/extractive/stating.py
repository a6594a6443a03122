"""Tell whether findings state what a sub-question asks, or are only about the same thing.

"How long does Postfix keep trying?" is near to everything that a manual says about its queues. A passage states it if
it has the rare words of the question, or words near to them in meaning, and the kind of thing that is asked for.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from planner.audit.asked_numbers import asks_count, counted_word, gives_asked_unit
from planner.goal.language import report_language
from planner.outline.kinds import has_number, is_answer_kind
from planner.text.query_words import is_code, query_words
from planner.text.ranking import cosine
from planner.text.sentences import plain, units
from planner.text.subject import subject_of
from planner.text.words import ASKING, content_words, stem, terms
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder

STATES: Final = 0.48
"""Least worth of a passage that states what is asked. Of 73 questions about pages that were read, 27 of the 34 that
these answer have more, and 6 of the 39 that they do not."""
SAYS_IT: Final = 0.6
"""Least worth in a language that the packaged model does not know, where words alone are compared."""
_PASSAGES, _PIECES, _SOFT = 6, 8, 3
"""Most findings that are looked at, the nearest; most pieces of each; and most pieces whose words are compared by their
meaning: 0.1 s of one core for a sub-question."""
_UNRELATED, _SAME_MEANING = 0.35, 0.65
"""Cosines of two words that have nothing to do with each other, and of two that say the same: `risky` and `dangerous`
have 0.64, `delayed` and `postponed` 0.75, `delete` and `create` 0.39."""
_WORDS_SHARE: Final = 0.7
"""How much of the worth hangs on the words that are asked for; the rest is nearness alone."""
_COMMON: Final = 0.3
"""A name that so many findings have is what all of them are about; the others need not repeat it."""
_LEAST_WEIGHT: Final = 0.15
_OTHER_KIND: Final = 0.5
_LABEL_CHARS: Final = 60
_BESIDE: Final = 3
"""How many words may stand between a number and what it counts."""
_MARKS: Final = "\"'“”()[],;:.?!|*"
_GENERIC: Final = ASKING | frozenset(
    """
    compare comparison difference differences differ happen happens kind mean meaning means purpose reason reasons way
    ways unterschied unterschiede différence différences
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words that ask, and that no answer needs."""


@dataclass(frozen=True)
class LeafStatement:
    """The passage that comes nearest to stating what a sub-question asks."""

    finding: str
    """Id of the finding that has it."""
    text: str
    """Its sentence, item or row that has most of what is asked."""
    worth: float
    """0 to 1."""
    is_stated: bool


@dataclass(frozen=True)
class Asked:
    """What a sub-question asks, as passages are compared with it."""

    text: str
    vector: Sequence[float]
    names: tuple[str, ...]
    """Names and code of it that a passage, or what stands above it, must have."""
    words: Mapping[str, float]
    """Its other words with their weights, which are 1 in all."""
    meanings: Mapping[str, Sequence[float]]
    """The vectors of these words; none in a language that the model does not know."""

    def fits(self, piece: str) -> bool:
        """Whether a piece has the kind of thing that is asked for."""
        if not is_answer_kind(self.text, piece) or gives_asked_unit(piece, self.text) is False:
            return False
        return not asks_count(self.text) or _counts(counted_word(self.text), piece)


@dataclass(frozen=True)
class _Told:
    finding: Finding
    text: str
    nearness: float
    """Mean of the cosines of the finding and of the piece."""
    stems: frozenset[str]
    """Of the piece and what stands above it."""
    above: str


async def asked_of(question: str, told: str, findings: Sequence[Finding], embedder: Embedder) -> Asked:
    """What a sub-question asks.

    A word weighs by how much the meaning of the question changes without it, and by how few findings have it.

    Args:
        question: the sub-question in its own words.
        told: the same with what it needs of the whole question.
        findings: all that are known.
        embedder: one that remembers.
    """
    subject = subject_of(question)
    written = query_words(question)
    names = [word for word in written if is_code(word) or stem(word.lower()) in subject.words]
    words = [word for word in written if word not in names and word.lower() not in _GENERIC]
    known = [frozenset(terms(_whole(finding))) for finding in findings]
    own = tuple(name for name in names if is_code(name) or _share(name, known) < _COMMON)
    if report_language(question) != "en":
        (vector,) = await embedder.embed([told])
        return Asked(question, vector, own, _shares({word: _rarity(word, known) for word in words}), {})
    without = [" ".join(one for one in question.split() if not _is_word(one, word)) for word in words]
    vector, whole, *rest = await embedder.embed([told, question, *without, *words])
    changed = {
        word: max(0.01, 1 - cosine(whole, other)) * _rarity(word, known)
        for word, other in zip(words, rest[: len(words)], strict=True)
    }
    meanings = dict(zip(words, rest[len(words) :], strict=True))
    return Asked(question, vector, own, _shares(changed), meanings)


async def statement_for(
    asked: Asked, findings: Sequence[Finding], nearness: Sequence[float], embedder: Embedder
) -> LeafStatement | None:
    """The passage of the findings that comes nearest to stating what is asked; None if there is no finding.

    Args:
        asked: the sub-question.
        findings: all that are known.
        nearness: of each finding to the sub-question.
        embedder: one that remembers.
    """
    nearest = sorted(range(len(findings)), key=lambda place: -nearness[place])[:_PASSAGES]
    told = [(place, piece) for place in nearest for piece in _pieces(findings[place])]
    vectors = await embedder.embed([piece for _, piece in told]) if told else []
    pieces = []
    for (place, text), vector in zip(told, vectors, strict=True):
        above = _above(findings[place])
        mean = (nearness[place] + cosine(asked.vector, vector)) / 2
        pieces.append(_Told(findings[place], text, mean, frozenset(terms(f"{above} {text}")), above))
    rated = [(_worth(asked, piece, _covered(asked, piece.stems)), piece) for piece in pieces]
    rated.sort(key=lambda one: -one[0])
    best = [await _by_meaning(asked, piece, embedder) for _, piece in rated[:_SOFT]] + rated[_SOFT:]
    if not best:
        return None
    worth, piece = max(best, key=lambda one: one[0])
    least = STATES if asked.meanings or report_language(asked.text) == "en" else SAYS_IT
    return LeafStatement(piece.finding.id, _said_in(asked, piece), round(worth, 3), worth >= least)


def _said_in(asked: Asked, piece: _Told) -> str:
    """The one of the sentences of a piece that has most of what is asked."""
    said = [unit.text for unit in units(piece.finding.quote) if unit.text in piece.text] or [piece.text]
    return max(said, key=lambda text: (asked.fits(text), _covered(asked, frozenset(terms(text)))))


async def _by_meaning(asked: Asked, piece: _Told, embedder: Embedder) -> tuple[float, _Told]:
    """The worth of a piece where words that are near in meaning to those asked for count too."""
    lacking = [word for word in asked.meanings if not _has(word, piece.stems)]
    said = list(dict.fromkeys(content_words(f"{piece.above} {piece.text}"))) if lacking else []
    vectors = await embedder.embed(said) if said else []
    near = {
        word: max((cosine(asked.meanings[word], vector) for vector in vectors), default=0.0)
        for word in lacking
    }
    credit = {
        word: min(1.0, max(0.0, (cos - _UNRELATED) / (_SAME_MEANING - _UNRELATED)))
        for word, cos in near.items()
    }
    covered = _covered(asked, piece.stems) + sum(asked.words[word] * one for word, one in credit.items())
    return _worth(asked, piece, covered), piece


def _worth(asked: Asked, piece: _Told, covered: float) -> float:
    """0 to 1: by nearness, by the words that the piece covers, by the names that it has, and by its kind."""
    base = piece.nearness if asked.meanings or not asked.words else 1.0
    worth = base * (1 - _WORDS_SHARE + _WORDS_SHARE * covered)
    if asked.names:
        text = f"{piece.above} {piece.text}".lower()
        worth *= (1 + sum(_names(name, text, piece.stems) for name in asked.names) / len(asked.names)) / 2
    return worth if asked.fits(piece.text) else _OTHER_KIND * worth


def _names(name: str, text: str, stems: Collection[str]) -> bool:
    return name.lower() in text if is_code(name) else _has(name, stems)


def _covered(asked: Asked, stems: Collection[str]) -> float:
    if not asked.words:
        return 1.0
    return sum(weight for word, weight in asked.words.items() if _has(word, stems))


def _pieces(finding: Finding) -> list[str]:
    """The sentences, items and rows of a finding, each with the next one: an answer often takes two."""
    told = [unit.text for unit in units(finding.quote)] or [finding.claim]
    return [" ".join(told[at : at + 2]) for at in range(len(told))][:_PIECES]


def _above(finding: Finding) -> str:
    """What stands above the sentences of a finding: title, headings and, in a list of options, its name."""
    first = plain(finding.quote.strip().partition("\n")[0])
    return f"{finding.title} {finding.heading} {first if len(first) <= _LABEL_CHARS else ''}"


def _whole(finding: Finding) -> str:
    return f"{finding.title} {finding.heading} {finding.claim}"


def _shares(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {word: weight / total for word, weight in weights.items()}


def _rarity(word: str, known: Sequence[Collection[str]]) -> float:
    """Inverse document frequency among the findings, 0 to 1, and never nothing."""
    most = len(known) + 1.0
    found = sum(_has(word, stems) for stems in known)
    rare = math.log(most / (found + 0.5)) / math.log(most / 0.5)
    return _LEAST_WEIGHT + (1 - _LEAST_WEIGHT) * max(0.0, rare)


def _counts(what: str, piece: str) -> bool:
    """Whether a number stands beside what is to be counted: "34 cabins", "7,400 people", "Cabins: 34"."""
    said = piece.split()
    wanted = stem(what.lower())
    places = [at for at, word in enumerate(said) if stem(word.strip(_MARKS).lower()) == wanted]
    return any(has_number(" ".join(said[max(0, at - _BESIDE) : at + _BESIDE + 1])) for at in places)


def _share(word: str, known: Sequence[Collection[str]]) -> float:
    return sum(_has(word, stems) for stems in known) / len(known) if known else 0.0


def _has(word: str, stems: Collection[str]) -> bool:
    own = terms(word) or [stem(word.lower())]
    return any(one in stems for one in own)


def _is_word(token: str, word: str) -> bool:
    return stem(token.strip(_MARKS).lower()) == stem(word.lower())
