"""Judge a statement by its source: wording, numbers, dates, names and negations first, then what meaning adds."""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from planner.goal.language import report_language, told_language
from planner.text.agreement import is_negated
from planner.text.normal_quote import normal_quote
from planner.text.words import WORD, stem
from planner.verify.cited_text import CitedText
from planner.verify.coverage import Coverage, WordWeights, coverage, pair_share, weight_share, word_set
from planner.verify.dates import Date, dates_of, month_of, unstated_dates
from planner.verify.figures import Figure, figures_of, is_replaced, unstated
from planner.verify.judgement import CERTAIN, Judgement
from planner.verify.names import missing_names, named_share, names_of
from planner.verify.near_copies import has_negations_of, is_renamed, is_turned_round
from planner.verify.polarity import clauses_of, dropped_limits, is_denied, main_clauses_of, widens
from research_crawler.core.models.cited_parts import Verdict

_SUPPORT: Final = {"covered": 3.94, "shared": 0.72, "figure": -1.75, "name": -0.98, "wider": -1.01, "": -3.70}
"""How a statement's features speak for its support, as log-odds; logistic regression with balanced classes on one
half of WiCE's development set (by article). `python -m benchmarks claims` measures it on the other half."""
_RELATED: Final = {"shared": 3.06, "known": 3.39, "named": 0.67, "pairs": 1.43, "": -10.01}
"""The same for whether the source says any part of it. Which features it has was chosen by cross-validation within the
half that it was fitted on: words in a row and names tell another subject from other words for it."""
_RELATED_WITH_MEANING: Final = {"covered": 7.9, "cosine": 6.58, "": -7.33}
_PART: Final = re.compile(r"(?:,(?!\d)|;|\s[–—-]\s|—)\s*")
_TAIL: Final = re.compile(
    r"[,;]\s+(?:and|but|or|which|who|where|whose|because|since|while|so|making|with|an?)\b"
)
_BEGINS_A_CLAUSE: Final = re.compile(
    r"\W*(?:as|when|while|if|after|before|since|although|though|because|in|with|for|despite|given|following|during|unless"
    r"|to|by|at|on|from|under|over|once)\b",
    re.I,
)
_CODE: Final = re.compile(r"`(?P<code>[^`]{3,200})`")
_LEANS: Final = re.compile(
    r"\W*(?:otherwise|or else|if not|if so|in that case|andernfalls|sonst|sinon|de lo contrario)\b", re.I
)
"""A sentence that begins so turns round or depends on what stands before it and is not in the quote: by itself it
denies nothing."""
_NEAREST: Final = 6
"""How many sentences of a source are compared by meaning."""
_LEAST_WORDS, _ADDED = 3, 0.25
"""A clause of at least so many words, of whose weight the source has less than this share, is an addition."""
_MOST_DROPPED, _LEAST_REST = 2, 4
"""How many clauses may be dropped from a statement, and the least number of words that must be left."""
_DENIES: Final = 0.45
"""Least share of a statement's wording in one sentence for the sentence to be about the same thing, so that its
negation counts."""


_SAME_LANGUAGE: Final = 0.5
"""A source that has so much of a statement's wording is in its language."""


@dataclass(frozen=True)
class Statement:
    """A sentence and the source that it cites."""

    text: str
    source: CitedText
    weights: WordWeights
    subject: Collection[str] = ()
    """Stems of names that the reader asked about. A source that does not repeat them is not at fault."""
    language: str = ""
    """Its language, where it is known: a short sentence does not tell it."""

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
        if self._most_shared < _DENIES * sum(self._weighed.values()):
            return False
        near, whole = (
            self.source.clauses([place for place in places if not _LEANS.match(self.source.sentences[place])])
            for places in (self.coverage.places, range(len(self.source.sentences)))
        )
        # "the software that finds a failure" is one thing or a thing and what it does: denied is what both readings say
        if all(
            is_denied(one(self.text), near, self._weighed, whole) for one in (clauses_of, main_clauses_of)
        ):
            return True
        first, *others = self.best or [""]
        if _LEANS.match(first):
            return False
        return is_turned_round(self.text, first) and not any(
            has_negations_of(self.text, f"{first} {other}") for other in others
        )

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
        """Whether it names code, and its source has all of it letter for letter: a listing has hardly other words."""
        codes = [code["code"] for code in _CODE.finditer(self.text)]
        source = " ".join(" ".join(self.source.sentences).split())
        return bool(codes) and all(" ".join(code.split()) in source for code in codes)

    @property
    def differs_in_sign(self) -> bool:
        """Whether either the statement or the best sentence of the source has a negation."""
        return any(is_negated(text) for text in self.best[:1]) != is_negated(self.text)

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

    def _share_of(self, words: Collection[str]) -> float:
        known = sum(self.weights.of(word) for word in words if word in self.source.known)
        return known / sum(self.weights.of(word) for word in words)

    @cached_property
    def wider(self) -> list[str]:
        """The words with which it says more than the source."""
        return widens(self.text, " ".join(self.best))

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
    def _weighed(self) -> dict[str, float]:
        """Its words with their weights, without those that only name what the source is about."""
        words = word_set(self.text)
        said = frozenset[str]().union(*self.source.words)
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


def judge_statement(statement: Statement, *, cosine: float | None = None) -> Judgement:
    """Judge a statement by what it shares with its source.

    Args:
        statement: the statement.
        cosine: how near the nearest sentence of the source is to it in meaning, if somebody has measured it.
    """
    if is_verbatim(statement.text, statement.source.sentences):
        return Judgement("supported", math.inf, math.inf, 1.0)
    support = _log_odds(_SUPPORT, statement.features)
    related = _log_odds(_RELATED, statement.features)
    is_far = related < 0 and support < 0
    if cosine is not None:
        related = _log_odds(_RELATED_WITH_MEANING, {**statement.features, "cosine": max(0.0, cosine)})
    reasons = _reasons(statement)
    known = Judgement("partly", support, related, statement.coverage.share, reasons)
    if statement.is_denied:
        return _with(known, "contradicted", is_wrong=True)
    if _is_foreign(statement):
        names = names_of(statement.text, statement.language)
        wrong = bool(statement.figures or statement.dates or (names and names == statement.names))
        return _with(known, "not_found" if wrong else "could_not_check", is_wrong=wrong)
    lacks = bool(statement.figures or statement.dates or statement.lacking)
    # A vector hardly shows a negation, so that nearness in meaning must not save the opposite of a quote.
    wrong = lacks or (is_far and statement.differs_in_sign)
    if related < 0 and support < 0 and not (statement.has_its_code and not wrong):
        return _with(known, "not_found", is_wrong=wrong)
    if (statement.figures or statement.dates) and statement.is_replaced and support >= _SUPPORT["figure"]:
        return _with(known, "contradicted", is_wrong=True)
    if wrong:
        return _with(known, "partly", is_wrong=True)
    if statement.added or support < 0:
        return known
    limits = dropped_limits(statement.text, " ".join(statement.best[:1]))
    return _with(known, "qualified" if reasons else "supported", is_wrong=bool(statement.wider and limits))


def lacks_only_particulars(statement: Statement) -> bool:
    """Whether all that speaks against a statement is that its source lacks numbers, dates or names in it."""
    lacks = statement.figures or statement.dates or statement.lacking
    return bool(lacks) and not (statement.is_denied or statement.is_replaced or _is_foreign(statement))


def without_last_clause(statement: Statement) -> str:
    """The statement without its last clause, if the source surely says the rest; empty if that cannot be had.

    Only what a comma and a linking word attach is dropped, so that a sentence is left.
    """
    if statement.is_denied:
        return ""
    for tail in reversed(list(_TAIL.finditer(statement.text))[-_MOST_DROPPED:]):
        text = statement.text[: tail.start()].rstrip() + "."
        if len(word_set(text)) < _LEAST_REST or text.count("“") != text.count("”") or text.count('"') % 2:
            break
        if _BEGINS_A_CLAUSE.match(text) and "," not in text:
            break
        judged = judge_statement(replace(statement, text=text))
        if judged.verdict == "supported" and judged.support >= CERTAIN:
            return text
    return ""


def is_verbatim(text: str, sentences: Sequence[str]) -> bool:
    """Whether the source has the statement word for word."""
    wording = f" {normal_quote(text)} "
    return bool(wording.strip()) and wording in f" {normal_quote(' '.join(sentences))} "


def _with(judgement: Judgement, verdict: Verdict, *, is_wrong: bool = False) -> Judgement:
    known = judgement
    return Judgement(verdict, known.support, known.related, known.covered, known.reasons, is_wrong)


def _log_odds(weights: dict[str, float], features: dict[str, float]) -> float:
    return sum(weight * features[name] for name, weight in weights.items())


def _reasons(statement: Statement) -> tuple[str, ...]:
    """What speaks against a statement, for people."""
    texts = (*(one.text for one in statement.figures), *(one.text for one in statement.dates))
    found = [f"the source does not say {text!r}" for text in texts]
    found += [f"the source does not name {name!r}" for name in sorted(statement.lacking)]
    if statement.is_denied:
        found.append("the source says the opposite")
    found += [f"the source does not say {part!r}" for part in (*statement.added, *statement.wider)]
    limits = dropped_limits(statement.text, " ".join(statement.best[:1]))
    return (*found, *(f"the source says {word!r}" for word in limits))


def _is_foreign(statement: Statement) -> bool:
    """Whether statement and source are in different languages, so that their words cannot be compared."""
    if statement.coverage.share >= _SAME_LANGUAGE:
        return False
    source = " ".join(statement.source.sentences)
    if statement.language:
        return told_language(source) not in ("", statement.language)
    return report_language(statement.text) != report_language(source)
