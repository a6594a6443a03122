"""A statement beside the source that it cites: which of its words, numbers, dates and names the source has."""

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from planner.verify.cited_text import CitedText
from planner.verify.coverage import Coverage, WordWeights, coverage, pair_share, weight_share, word_set
from planner.verify.dates import Date, dates_of, month_of, unstated_dates
from planner.verify.figures import Figure, figures_of, is_replaced, unstated
from planner.verify.inferences import is_marked_inference
from planner.verify.modifiers import compared
from planner.verify.names import missing_names, named_share
from planner.verify.near_copies import has_negations_of, is_copy, is_renamed, is_turned_round
from planner.verify.options import missing_options, options_in
from planner.verify.placeholders import is_filled
from planner.verify.polarity import (
    clauses_of,
    denies_the_same,
    dropped_limits,
    is_denied,
    main_clauses_of,
    widens,
)
from research_crawler.text.agreement import is_negated, negations_in
from research_crawler.text.words import WORD, stem

_PART: Final = re.compile(r"(?:,(?!\d)|;|\s[–—-]\s|—)\s*")
_CODE: Final = re.compile(r"`(?P<code>[^`]{3,200})`")
_LEANS: Final = re.compile(
    r"\W*(?:otherwise|or else|if not|if so|in that case|andernfalls|sonst|sinon|de lo contrario)\b", re.I
)
"""A sentence that begins so depends on what stands before it and is not in the quote: by itself it denies nothing."""
_NEAREST: Final = 6  # sentences of a source that are compared by meaning
_LEAST_WORDS, _ADDED = 3, 0.25
"""A clause of at least so many words, of whose weight the source has less, is an addition."""
_INFERRED: Final = 0.2
"""Least share of an inference's wording that its source has. Chosen, not swept: true ones have 0.3 to 0.7."""
_DENIES: Final = 0.45
"""Least share of a statement's wording in one sentence for the sentence to be about the same thing, so that its
negation counts."""


@dataclass(frozen=True)
class Statement:
    """A sentence and the source that it cites."""

    text: str
    source: CitedText
    weights: WordWeights
    subject: Collection[str] = ()
    """Stems of names that the reader asked about: a source need not repeat them."""
    language: str = ""
    """Its language, where it is known."""
    asked: Collection[str] = ()
    """Options that the reader asked about, which a source need not repeat either."""

    @cached_property
    def coverage(self) -> Coverage:
        """How far the source has its words."""
        return coverage(self._weighed, self.source.words, self._weighed)

    @property
    def best(self) -> list[str]:
        """The sentences of the source that have its words, the best first."""
        return [self.source.sentences[place] for place in self.coverage.places]

    @property
    def nearest(self) -> list[str]:
        """The sentences whose meaning is compared: those that share most with it, the first ones if none does."""
        shared = [
            sum(self._weighed[word] for word in words if word in self._weighed) for words in self.source.words
        ]
        places = sorted(range(len(shared)), key=lambda place: -shared[place])[:_NEAREST]
        return [self.source.sentences[place] for place in places]

    @cached_property
    def dates(self) -> list[Date]:
        """Its dates that the source does not state."""
        dates = self._dated[0]
        lacking = unstated_dates(dates, self.source.dates, self.source.years) if dates else []
        return [one for one in lacking if one.day or not any(one.fits(told) for told in self.source.told_in)]

    @cached_property
    def figures(self) -> list[Figure]:
        """Its numbers that the source does not state, without those that a writer counts himself."""
        figures = [one for one in self._dated[1] if not one.is_slight]
        return unstated(figures, self.source.figures) if figures else []

    @cached_property
    def names(self) -> set[str]:
        """Its names that neither the source nor its context has; a month is none where a page was published in it."""
        names = missing_names(self.text, self.source.known, self.source.texts, self.language)
        if not names:
            return names
        months = {date.month for date in self.source.told_in}
        told = {stem(word.lower()) for word in WORD.findall(self.text) if month_of(word) in months}
        return names - told

    @cached_property
    def is_denied(self) -> bool:
        """Whether the sentence of the source that is most like it says the opposite."""
        if self.share_of_best < _DENIES:
            return False
        text, sentences = self._compared
        near, whole = (
            [
                part
                for place in places
                if not _LEANS.match(sentences[place])
                for part in clauses_of(sentences[place])
            ]
            for places in (self.coverage.places, range(len(sentences)))
        )
        # "the software that finds a failure" is one thing or a thing and what it does: denied is what both readings say
        if all(is_denied(one(text), near, self._weighed, whole) for one in (clauses_of, main_clauses_of)):
            return True
        first, *others = [sentences[place] for place in self.coverage.places] or [""]
        if _LEANS.match(first):
            return False
        # What it denies beyond its best sentence may be what another one denies.
        denies_more = negations_in(text).total() > negations_in(first).total()
        if denies_more and denies_the_same(clauses_of(text), whole, self._weighed):
            return False
        return is_turned_round(text, first) and not any(
            has_negations_of(text, f"{first} {other}") for other in others
        )

    @property
    def share_of_best(self) -> float:
        """The share of its wording that one sentence of its source has."""
        return self._most_shared / (sum(self._weighed.values()) or 1.0)

    @cached_property
    def lacking(self) -> set[str]:
        """Its names that its source would have to have.

        A name that the reader asked about may stand for what the source calls "it" or "the machine", but not for
        another name: that is a swap.
        """
        own = self.names - set(self.subject)
        if own or not self.names:
            return own
        return self.names if any(is_renamed(self.text, sentence) for sentence in self.best[:1]) else set()

    @cached_property
    def has_its_code(self) -> bool:
        """Whether it names code whose words its source all has, options letter for letter: a listing or a table has
        hardly other words, and a title such as "git-reset(1)" names the command for the whole page."""
        codes = [code["code"] for code in _CODE.finditer(self.text)]
        sentences = " ".join(" ".join(self.source.sentences).split())
        everything = " ".join((sentences, *self.source.context))
        known = options_in(everything)
        return bool(codes) and all(
            (whole := " ".join(code.split())) in sentences
            or is_filled(whole, self.source.sentences)
            or (
                (named := options_in(whole))
                and named <= known
                and all(w in everything for w in whole.split())
            )
            for code in codes
        )

    @cached_property
    def options(self) -> set[str]:
        """Its options of commands that its source would have to have."""
        return missing_options(self.text, self.source.sentences, self.source.context, self.asked)

    @cached_property
    def is_inference(self) -> bool:
        """Whether it is marked as what only follows from its source, and is about the same: has some of its words."""
        return is_marked_inference(self.text) and self.coverage.share >= _INFERRED

    @property
    def differs_in_sign(self) -> bool:
        """Whether either the statement or the best sentence of the source has a negation, in the clauses of both that
        are most alike: what another clause denies is something else."""
        text, sentences = self._compared
        first = " ".join(sentences[place] for place in self.coverage.places[:1])
        if is_negated(first) == is_negated(text):
            return False
        pairs = [(own, other) for own in clauses_of(text) for other in clauses_of(first)]
        alike = [
            sum(self._weighed.get(word, 0.0) for word in own.terms & other.terms) for own, other in pairs
        ]
        most = max(alike, default=0.0)
        return any(
            own.denies != other.denies
            for (own, other), weight in zip(pairs, alike, strict=True)
            if weight == most
        )

    @property
    def is_replaced(self) -> bool:
        """Whether the source gives other numbers or dates in place of its own."""
        other_dates = any(date.year or date.month for date in self.source.dates)
        return any(is_replaced(one, self.source.figures) for one in self.figures) or bool(
            self.dates and other_dates
        )

    @cached_property
    def added(self) -> list[str]:
        """Its clauses of which the source has hardly a word."""
        parts = ((part, word_set(part)) for part in _PART.split(self.text))
        return [
            part.strip()
            for part, words in parts
            if len(words) >= _LEAST_WORDS and self._share_of(words) < _ADDED
        ]

    @property
    def appended(self) -> list[str]:
        """Those of its added clauses that stand behind something; its beginning may only say when or where it is so."""
        return [part for part in self.added if not self.text.startswith(part)]

    @cached_property
    def invented(self) -> list[str]:
        """Those of its added clauses of which no known text has much: nobody has read of them."""
        return [part for part in self.added if self._share_of(word_set(part), everywhere=True) < _ADDED]

    def _share_of(self, words: Collection[str], *, everywhere: bool = False) -> float:
        known = sum(
            self.weights.of(word)
            for word in words
            if word in self.source.known or (everywhere and self.weights.knows(word))
        )
        return known / sum(self.weights.of(word) for word in words)

    @cached_property
    def wider(self) -> list[str]:
        """The words with which it says more than the source."""
        return widens(self.text, " ".join(self.best))

    @cached_property
    def limits(self) -> list[str]:
        """The limits that the best sentence of its source sets and it leaves out."""
        return dropped_limits(self.text, " ".join(self.best[:1]))

    @cached_property
    def is_copy(self) -> bool:
        """Whether it is a sentence of its source but for a few words, so that each of these can be compared."""
        return any(is_copy(self.text, source) for source in (*self.best[:1], " ".join(self.best)))

    @property
    def is_edited(self) -> bool:
        """Whether it is a copy that says more than its source or drops a limit, so that code sees what was changed."""
        return bool(self.wider or self.limits or self.appended) and self.is_copy

    @cached_property
    def features(self) -> dict[str, float]:
        """What the log-odds are computed from."""
        return {
            "covered": self.coverage.share,
            "shared": math.log1p(self._most_shared),
            "figure": min(2, len(self.figures) + len(self.dates)),
            "name": min(3, len(self.names)),
            "wider": float(bool(self.wider)),
            "known": weight_share(self._weighed, self.source.known),
            "named": named_share(self.text, self.source.known),
            "pairs": pair_share(self.text, self.source.pairs),
            "": 1.0,
        }

    @cached_property
    def _compared(self) -> tuple[str, list[str]]:
        """Its text and the sentences of its source, as their negations are compared."""
        said, missing = self.source.said, self.source.left_out
        return compared(self.text, self.source.sentences, said=said, missing=missing)

    @cached_property
    def _weighed(self) -> dict[str, float]:
        """Its words with their weights, without those that only name what the source is about."""
        words = word_set(self.text)
        said = self.source.said
        return {
            word: self.weights.of(word) for word in words if word in said or word not in self.source.known
        }

    @cached_property
    def _most_shared(self) -> float:
        """The weight of what one sentence has of it."""
        first = self.coverage.places[:1]
        return sum(
            self._weighed[word]
            for place in first
            for word in self.source.words[place]
            if word in self._weighed
        )

    @cached_property
    def _dated(self) -> tuple[list[Date], list[Figure]]:
        text = self.text
        for address in self.source.addresses:
            text = text.replace(address, " ")
        dates, rest = dates_of(text)
        return dates, figures_of(rest)
