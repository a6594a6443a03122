"""Tell whether findings state what a sub-question asks, or are only about the same thing.

"How long does Postfix keep trying?" is near to everything that a manual says about its queues. A passage states it if
it has the rare words of the question, or words near to them in meaning, and the kind of thing that is asked for.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from planner.brains.extractive.stating.asked import Asked, every_stem, has_word
from planner.brains.extractive.stating.entries import (
    LABEL_CHARS,
    begins_with_setting,
    entry_factor,
    is_of_entry,
)
from planner.goal.language import report_language
from planner.outline.kinds import asks_how
from research_crawler.core.models.findings import Finding
from research_crawler.core.ports.models import Embedder
from research_crawler.text.query_words import is_code
from research_crawler.text.ranking import cosine
from research_crawler.text.sentences import plain, units
from research_crawler.text.words import content_words

STATES: Final = 0.48
"""Least worth of a passage that states what is asked. Of 73 questions about pages that were read, 26 of the 34 that
these answer have more, and 6 of the 39 that they do not."""
SAYS_IT: Final = 0.6
"""Least worth in a language that the packaged model does not know, where words alone are compared, and for a question
that has no word to compare, where nearness is all there is."""
_FINDINGS, _PIECES, _SOFT = 8, 8, 3
"""Most findings that are looked at, the nearest; most pieces of each; and most pieces whose words are compared by their
meaning: 0.1 s of one core for a sub-question."""
_UNRELATED, _SAME_MEANING = 0.35, 0.65
"""Cosines of two words that have nothing to do with each other, and of two that say the same: `risky` and `dangerous`
have 0.64, `delayed` and `postponed` 0.75, `delete` and `create` 0.39."""
_WORDS_SHARE: Final = 0.7
"""How much of the worth hangs on the words that are asked for; the rest is nearness alone."""
_ABOVE_ONLY: Final = 0.8
"""How much a word counts that stands above a passage and not in it."""
_CRUX, _HARDLY, _WITHOUT_CRUX = 0.5, 0.3, 0.8
"""Weight of a word on which the question hangs, the credit below which a passage says nothing like it, and the factor
for such a passage: "Where did the engineer who designed it study?" hangs on `study`."""
_OF_THING, _OTHER_THING = 1.15, 0.5
"""Factors for a passage where things are compared: a sentence that begins with the thing says something of it."""
_WHOLE, _WHOLE_UNLISTED = 0.92, 0.8
"""Factors for a whole finding, in which the words that are asked for may stand apart from each other; and for one
without a listing, where it is asked how something is done."""
_NOT_OF_SETTING: Final = 0.5
"""Factor for a passage that only mentions a setting of which it is asked what it does."""
LISTING: Final = "```"
_PHRASAL: Final = re.compile(r"\b[a-z]{3,20} (?:away|back|down|forward|off|on|out|over|through|up)\b", re.I)


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
class _Told:
    finding: Finding
    text: str
    nearness: float
    """Mean of the cosines of the finding and of the piece."""
    stems: frozenset[str]
    above: str
    stems_above: frozenset[str]


def worth_of_sentence(asked: Asked, finding: Finding, text: str, nearness: float) -> float:
    """How far one sentence of a finding states what is asked, 0 to 1, by the words that it has.

    Args:
        asked: the sub-question.
        finding: the one that has it.
        text: the sentence.
        nearness: mean of the cosines of the finding and of the sentence with the sub-question.
    """
    above = _above(finding)
    return _worth(asked, _Told(finding, text, nearness, every_stem(text), above, every_stem(above)))


async def statement_for(
    asked: Asked, findings: Sequence[Finding], nearness: Sequence[float], embedder: Embedder
) -> LeafStatement | None:
    """The passage of the findings that comes nearest to stating what is asked; None if there is no finding.

    Args:
        asked: the sub-question.
        findings: those that may state it.
        nearness: of each finding to the sub-question.
        embedder: one that remembers.
    """
    thing = asked.thing
    tells = [thing is None or thing.is_told_of(plain(finding.quote)) for finding in findings]
    nearest = sorted(range(len(findings)), key=lambda place: (not tells[place], -nearness[place]))[:_FINDINGS]
    told = [(place, piece) for place in nearest for piece in _pieces(findings[place])]
    vectors = await embedder.embed([piece for _, piece in told]) if told else []
    pieces = [_whole(asked, findings[place], nearness[place]) for place in nearest]
    for (place, text), vector in zip(told, vectors, strict=True):
        above = _above(findings[place])
        mean = (nearness[place] + cosine(asked.vector, vector)) / 2
        pieces.append(_Told(findings[place], text, mean, every_stem(text), above, every_stem(above)))
    rated = sorted(((_worth(asked, piece), piece) for piece in pieces), key=lambda one: -one[0])
    best = [(await _by_meaning(asked, piece, embedder), piece) for _, piece in rated[:_SOFT]] + rated[_SOFT:]
    if not best:
        return None
    worth, piece = max(best, key=lambda one: one[0])
    # "How do I get there?", "What does `wal_level` do?"
    is_bare = not asked.words and (bool(asked.settings) or not (asked.names or asked.thing))
    least = SAYS_IT if is_bare or report_language(asked.text) != "en" else STATES
    return LeafStatement(piece.finding.id, _said_in(asked, piece), round(worth, 3), worth >= least)


def _said_in(asked: Asked, piece: _Told) -> str:
    """The one of the sentences of a piece that has most of what is asked; one that only leads up to a list is the last
    choice."""
    said = [unit.text for unit in units(piece.finding.quote) if unit.text in piece.text] or [piece.text]
    return max(said, key=lambda text: (text[-1:] != ":", asked.fit(text), asked.share_said(every_stem(text))))


async def _by_meaning(asked: Asked, piece: _Told, embedder: Embedder) -> float:
    """The worth of a piece where words that are near in meaning to those asked for count too."""
    lacking = [word for word in asked.meanings if not has_word(word, piece.stems | piece.stems_above)]
    told = f"{piece.above} {piece.text}"
    said = list(dict.fromkeys([*content_words(told), *_PHRASAL.findall(told)])) if lacking else []
    vectors = await embedder.embed(said) if said else []
    more, lacks_crux = 0.0, False
    for word in lacking:
        near = max((cosine(asked.meanings[word], vector) for vector in vectors), default=0.0)
        credit = min(1.0, max(0.0, (near - _UNRELATED) / (_SAME_MEANING - _UNRELATED)))
        more += asked.words[word] * credit
        lacks_crux |= asked.words[word] >= _CRUX and credit < _HARDLY
    return _worth(asked, piece, more) * (_WITHOUT_CRUX if lacks_crux else 1.0)


def _worth(asked: Asked, piece: _Told, more: float = 0.0) -> float:
    """0 to 1: by nearness, by the words that the piece covers, by the names that it has, and by its kind.

    Args:
        asked: the sub-question.
        piece: of a finding.
        more: the share of the words that it says in other words.
    """
    covered = _covered(asked, piece) + more
    base = piece.nearness if asked.meanings or not asked.words else 1.0
    worth = base * (1 - _WORDS_SHARE + _WORDS_SHARE * covered) * asked.fit(piece.text)
    if asked.names:
        text = f"{piece.above} {piece.text}".lower()
        stems = piece.stems | piece.stems_above
        worth *= (1 + sum(_names(name, text, stems) for name in asked.names) / len(asked.names)) / 2
    worth *= entry_factor(piece.finding, asked.settings)
    if asked.settings and not asked.words and not is_of_entry(piece.finding, asked.settings):
        worth *= 1.0 if begins_with_setting(piece.text, asked.settings) else _NOT_OF_SETTING
    if asked.thing:
        worth *= _OF_THING if asked.thing.is_told_of(f"{piece.above}. {piece.text}") else _OTHER_THING
    return min(1.0, worth)


def _names(name: str, text: str, stems: Collection[str]) -> bool:
    return name.lower() in text if is_code(name) else has_word(name, stems)


def _covered(asked: Asked, piece: _Told) -> float:
    """The share of the words that are asked for in a piece; those that stand only above it count less."""
    if not asked.words:
        return 1.0
    own = asked.share_said(piece.stems)
    return own + _ABOVE_ONLY * (asked.share_said(piece.stems | piece.stems_above) - own)


def _whole(asked: Asked, finding: Finding, nearness: float) -> _Told:
    """A finding as one piece: what is asked may stand in more than two of its sentences.

    Where it is asked how something is done, that is a listing.
    """
    text = plain(finding.claim)
    above = _above(finding)
    near = nearness * (_WHOLE if LISTING in finding.quote or not asks_how(asked.text) else _WHOLE_UNLISTED)
    return _Told(finding, text, near, every_stem(text), above, every_stem(above))


def _pieces(finding: Finding) -> list[str]:
    """The sentences, items and rows of a finding, each with the next one: an answer often takes two."""
    told = [unit.text for unit in units(finding.quote)] or [finding.claim]
    return [" ".join(told[at : at + 2]) for at in range(len(told))][:_PIECES]


def _above(finding: Finding) -> str:
    """What stands above the sentences of a finding: title, headings and, in a list of options, its name.

    A title that asks ("Who pays for the beds?") states nothing.
    """
    first = plain(finding.quote.strip().partition("\n")[0])
    above = (finding.title, *finding.heading.split(" > "), first if len(first) <= LABEL_CHARS else "")
    return ". ".join(part for part in above if part and not part.rstrip().endswith("?"))
