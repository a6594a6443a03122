"""Judge a statement by its source: wording, numbers, dates, names and negations first, then what meaning adds."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from planner.goal.language import report_language, told_language
from planner.verify.coverage import word_set
from planner.verify.judgement import CERTAIN, Judgement
from planner.verify.names import names_of
from planner.verify.statement import Statement
from research_crawler.core.models.cited_parts import Verdict
from research_crawler.core.ports.models import Embedder
from research_crawler.text.agreement import negations_in
from research_crawler.text.normal_quote import normal_quote
from research_crawler.text.ranking import cosine as nearness

_SUPPORT: Final = {"covered": 3.94, "shared": 0.72, "figure": -1.75, "name": -0.98, "wider": -1.01, "": -3.70}
"""How a statement's features speak for its support, as log-odds; logistic regression with balanced classes on one
half of WiCE's development set (by article). `python -m benchmarks claims` measures it on the other half."""
_RELATED: Final = {"shared": 3.06, "known": 3.39, "named": 0.67, "pairs": 1.43, "": -10.01}
"""The same for whether the source says any part of it. Which features it has was chosen by cross-validation within the
half that it was fitted on: words in a row and names tell another subject from other words for it."""
_RELATED_WITH_MEANING: Final = {"covered": 7.9, "cosine": 6.58, "": -7.33}
_TAIL: Final = re.compile(
    r"[,;]\s+(?:and|but|or|which|who|where|whose|because|since|while|so|making|with|an?)\b"
)
_LINKS_BEFORE: Final = frozenset(
    ("and", "but", "so", "then", "while", "und", "aber", "et", "mais", "y", "pero", "e")
)
_LINKS_BEHIND: Final = frozenset(("and", "so", "while", "whereas", "which", "und", "et", "y", "e"))
"""What stands between two clauses, before and behind one of them."""
_IN_BRACKETS: Final = re.compile(r"\([^()]*+\)")
_PLAINLY: Final = 0.9
"""Least share of a statement's wording in the one sentence that plainly denies it."""
_SIGNS: Final = "−–-"
_SIGNED: Final = re.compile(rf"(?<![\w{_SIGNS}])[{_SIGNS}]\d[\d.,]*")
_BEGINS_A_CLAUSE: Final = re.compile(
    r"\W*(?:as|when|while|if|after|before|since|although|though|because|in|with|for|despite|given|following|during|unless"
    r"|to|by|at|on|from|under|over|once)\b",
    re.I,
)
_MOST_DROPPED, _LEAST_REST = 2, 4
"""How many clauses may be dropped from a statement, and the least number of words that must be left."""


_INFERENCE: Final = 0.0
"""Most log-odds of a statement that is marked as an inference."""
_SAME_LANGUAGE: Final = 0.5
"""A source that has so much of a statement's wording is in its language."""


def judge_statement(statement: Statement, *, cosine: float | None = None) -> Judgement:
    """Judge a statement by what it shares with its source.

    Args:
        statement: the statement.
        cosine: how near the nearest sentence of the source is to it in meaning, if somebody has measured it.
    """
    if is_verbatim(statement.text, statement.source.sentences):
        is_whole = is_whole_clause(statement.text, statement.source.sentences)
        return Judgement("supported", math.inf if is_whole else CERTAIN, math.inf, 1.0)
    support = _log_odds(_SUPPORT, statement.features)
    related = _log_odds(_RELATED, statement.features)
    is_far = related < 0 and support < 0
    if cosine is not None:
        related = _log_odds(_RELATED_WITH_MEANING, {**statement.features, "cosine": max(0.0, cosine)})
    reasons = _reasons(statement)
    is_sure = bool(statement.options or statement.invented) or statement.is_edited
    # Words do not show whether an inference follows: a reader is always asked.
    certain = min(support, _INFERENCE) if statement.is_inference else support
    known = Judgement("partly", certain, related, statement.coverage.share, reasons, is_sure=is_sure)
    if statement.is_denied:
        # In other words altogether, or in just the same ones, it is no other clause that is denied.
        return _with(
            known, "contradicted", is_wrong=min(support, related) < 0 or _is_plainly_denied(statement)
        )
    if _is_foreign(statement):
        names = names_of(statement.text, statement.language)
        wrong = bool(statement.figures or statement.dates or (names and names == statement.names))
        return _with(known, "not_found" if wrong else "could_not_check", is_wrong=wrong)
    lacks = bool(statement.figures or statement.dates or statement.lacking)
    # A vector hardly shows a negation, so that nearness in meaning must not save the opposite of a quote.
    # An inference says something else than its quotes: whether it follows, only a reader can tell.
    wrong = lacks or (is_far and statement.differs_in_sign and not statement.is_inference)
    is_open = not wrong and (statement.has_its_code or statement.is_inference)
    if related < 0 and support < 0 and not is_open:
        # In other words altogether, its first clause cannot be told as added.
        is_sure = bool(statement.options) or not set(statement.invented).isdisjoint(statement.appended)
        return replace(known, verdict="not_found", is_wrong=wrong, is_sure=is_sure)
    if (statement.figures or statement.dates) and statement.is_replaced and support >= _SUPPORT["figure"]:
        return _with(known, "contradicted", is_wrong=True)
    if wrong:
        return _with(known, "partly", is_wrong=True)
    if statement.added or statement.options or support < 0:
        return known
    is_wrong = bool(statement.wider and statement.limits) and statement.is_copy
    unread: Verdict = "could_not_check" if statement.is_inference else "supported"
    return _with(known, "qualified" if reasons else unread, is_wrong=is_wrong)


async def judged_by_meaning(statement: Statement, embedder: Embedder) -> Judgement:
    """The judgement of a statement with the cosine of the sentence of its source that is nearest in meaning."""
    own, *others = await embedder.embed([statement.text, *statement.nearest])
    return judge_statement(statement, cosine=max((nearness(own, other) for other in others), default=0.0))


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


def is_whole_clause(text: str, sentences: Sequence[str]) -> bool:
    """Whether a statement that its source has word for word is one of its clauses as a whole, with the signs of its
    numbers. "The plan is free" leaves out "for up to five users"."""
    if _SIGNED.findall(text) != [
        one for one in _SIGNED.findall(" ".join(sentences)) if one.lstrip(_SIGNS) in text
    ]:
        return False
    words = [normal_quote(sentence).split() for sentence in sentences]
    ends = {0, *accumulate(map(len, words))}
    wording, source = normal_quote(text).split(), [word for one in words for word in one]
    return any(
        source[at : (end := at + len(wording))] == wording
        and (at in ends or source[at - 1] in _LINKS_BEFORE)
        and (end in ends or source[end] in _LINKS_BEHIND)
        for at in range(len(source) - len(wording) + 1)
    )


def _with(judgement: Judgement, verdict: Verdict, *, is_wrong: bool = False) -> Judgement:
    return replace(judgement, verdict=verdict, is_wrong=is_wrong)


def _log_odds(weights: dict[str, float], features: dict[str, float]) -> float:
    return sum(weight * features[name] for name, weight in weights.items())


def _reasons(statement: Statement) -> tuple[str, ...]:
    """What speaks against a statement, for people."""
    texts = (*(one.text for one in statement.figures), *(one.text for one in statement.dates))
    found = [f"the source does not say {text!r}" for text in texts]
    found += [f"the source does not name {name!r}" for name in sorted(statement.lacking)]
    if statement.is_denied:
        found.append("the source says the opposite")
    found += [
        f"the source does not say {part!r}"
        for part in (*sorted(statement.options), *statement.added, *statement.wider)
    ]
    return (*found, *(f"the source says {word!r}" for word in statement.limits))


def _is_plainly_denied(statement: Statement) -> bool:
    """Whether one sentence of the source says nearly all of a statement, with one negation more or fewer.

    What some clause of a longer sentence denies may only look so: "nothing dangerous, but better avoided".
    """
    first = _IN_BRACKETS.sub(" ", " ".join(statement.best[:1]))
    return statement.share_of_best >= _PLAINLY and (
        negations_in(first).total() != negations_in(statement.text).total()
    )


def _is_foreign(statement: Statement) -> bool:
    """Whether statement and source are in different languages, so that their words cannot be compared."""
    if statement.coverage.share >= _SAME_LANGUAGE:
        return False
    source = " ".join(statement.source.sentences)
    if statement.language:
        return told_language(source) not in ("", statement.language)
    return report_language(statement.text) != report_language(source)
