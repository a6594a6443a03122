"""Judge a statement by its source: wording, numbers, dates, names and negations first, then what meaning adds."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from planner.goal.language import report_language
from planner.text.normal_quote import normal_quote
from planner.verify.coverage import Coverage, Weights, coverage, word_set
from planner.verify.dates import Date, dates_of, unstated_dates
from planner.verify.figures import Figure, figures_of, is_replaced, unstated
from planner.verify.names import missing_names
from planner.verify.polarity import clauses_of, dropped_limits, is_denied, widens
from planner.verify.source import Source
from research_crawler.core.models.reports import Verdict

_SUPPORT: Final = {"covered": 4.05, "shared": 0.46, "figure": -1.67, "name": -0.94, "wider": -1.02, "": -2.97}
"""How a statement's features speak for its support, as log-odds; logistic regression with balanced classes on one
half of WiCE's development set (by article). `python -m benchmarks claims` measures it on the other half."""
_RELATED: Final = {"covered": 5.46, "shared": 2.92, "wider": -1.21, "": -9.33}
"""The same for whether the source says any part of it."""
_RELATED_WITH_MEANING: Final = {"covered": 7.8, "cosine": 6.62, "": -7.24}
SURE: Final = 0.85
"""Log-odds from which a statement needs no dearer check: 90 % of its wording with nothing against it, or so."""
_DENIES: Final = 0.45
"""Least share of a statement's wording in one sentence for the sentence to be about the same thing, so that its
negation counts."""


@dataclass(frozen=True)
class Judgement:
    """What the cheap checks say about a statement."""

    verdict: Verdict
    support: float
    """Log-odds that the source says all of it; at least 0 counts as supported."""
    related: float
    """Log-odds that the source says any part of it."""
    covered: float
    """The share of its wording that the source has."""
    reasons: tuple[str, ...] = ()
    is_wrong: bool = False
    """Whether it must not be shown, whatever else it says: its source denies it, or lacks a number or name in it."""

    @property
    def is_uncertain(self) -> bool:
        """Whether a dearer check can change the verdict."""
        return not self.is_wrong and self.verdict != "not_found" and self.support < SURE


@dataclass(frozen=True)
class Statement:
    """A sentence and the source that it cites."""

    text: str
    source: Source
    weights: Weights
    subject: Collection[str] = ()
    """Stems of names that the reader asked about. A source that does not repeat them is not at fault."""

    @cached_property
    def coverage(self) -> Coverage:
        """How far the source has its words."""
        return coverage(self._weighed, self.source.words, self._weighed)

    @property
    def best(self) -> list[str]:
        """The sentences of the source that have its words, the best first."""
        return [self.source.sentences[place] for place in self.coverage.places]

    @cached_property
    def dates(self) -> list[Date]:
        """Its dates that the source does not state."""
        return unstated_dates(self._dated[0], self.source.dates, self.source.years)

    @cached_property
    def figures(self) -> list[Figure]:
        """Its numbers that the source does not state, without those that a writer counts himself."""
        return unstated([one for one in self._dated[1] if not one.is_slight], self.source.figures)

    @cached_property
    def names(self) -> set[str]:
        """Its names that neither the source nor its context has."""
        return missing_names(self.text, self.source.known, self.source.texts)

    @cached_property
    def is_denied(self) -> bool:
        """Whether the sentence of the source that is most like it says the opposite."""
        if self._most_shared < _DENIES * sum(self._weighed.values()):
            return False
        return is_denied(clauses_of(self.text), self.source.clauses(self.coverage.places), self._weighed)

    @property
    def is_replaced(self) -> bool:
        """Whether the source gives other numbers or dates in place of its own."""
        other_dates = any(date.year or date.month for date in self.source.dates)
        return any(is_replaced(one, self.source.figures) for one in self.figures) or bool(self.dates and other_dates)

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
            "": 1.0,
        }

    @cached_property
    def _weighed(self) -> dict[str, float]:
        return {word: self.weights.of(word) for word in word_set(self.text)}

    @cached_property
    def _most_shared(self) -> float:
        """The weight of what one sentence has of it."""
        first = self.coverage.places[:1]
        return sum(self._weighed[word] for place in first for word in self.source.words[place] if word in self._weighed)

    @cached_property
    def _dated(self) -> tuple[list[Date], list[Figure]]:
        dates, rest = dates_of(self.text)
        return dates, figures_of(rest)


def judge(statement: Statement, *, cosine: float | None = None) -> Judgement:
    """Judge a statement by what it shares with its source.

    Args:
        statement: the statement.
        cosine: how near the nearest sentence of the source is to it in meaning, if somebody has measured it.
    """
    if is_verbatim(statement.text, statement.source.sentences):
        return Judgement("supported", math.inf, math.inf, 1.0)
    support = _log_odds(_SUPPORT, statement.features)
    related = _log_odds(_RELATED, statement.features)
    if cosine is not None:
        related = _log_odds(_RELATED_WITH_MEANING, {**statement.features, "cosine": max(0.0, cosine)})
    reasons = _reasons(statement)
    known = Judgement("partly", support, related, statement.coverage.share, reasons)
    if statement.is_denied:
        return _with(known, "contradicted", is_wrong=True)
    if _is_foreign(statement):
        wrong = bool(statement.figures or statement.dates)
        return _with(known, "not_found" if wrong else "could_not_check", is_wrong=wrong)
    if related < 0 and support < 0:
        return _with(known, "not_found", is_wrong=True)
    if statement.figures or statement.dates:
        return _with(known, "contradicted" if statement.is_replaced and support >= _SUPPORT["figure"] else "partly",
                     is_wrong=True)  # fmt: skip
    if statement.names - set(statement.subject):
        return _with(known, "partly", is_wrong=True)
    if statement.names or support < 0:
        return known
    return _with(known, "qualified" if reasons else "supported")


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
    found = [f"the source does not say {one.text!r}" for one in (*statement.figures, *statement.dates)]
    found += [f"the source does not name {name!r}" for name in sorted(statement.names)]
    if statement.is_denied:
        found.append("the source says the opposite")
    found += [f"the source does not say {word!r}" for word in statement.wider]
    limits = dropped_limits(statement.text, " ".join(statement.best[:1]))
    return (*found, *(f"the source says {word!r}" for word in limits))


def _is_foreign(statement: Statement) -> bool:
    """Whether statement and source are in different languages, so that their words cannot be compared."""
    source = " ".join(statement.source.sentences)
    return statement.coverage.share < 0.5 and report_language(statement.text) != report_language(source)  # noqa: PLR2004
