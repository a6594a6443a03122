"""Compare what two texts affirm and deny, and how far they limit it."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.text.agreement import LIGHT, denied_words, is_negated
from research_crawler.text.words import WORD, stem, terms

_JOINED: Final = (
    r"\band\b(?=\s++(?:[^\s,;]++\s++){1,4}"
    r"(?:will|would|can|could|is|are|was|were|has|have|had|does|did|must|should|may|might)\b)"
)
"""An "and" behind which something else is said of something else: "the module does not see it and the value is off"."""
_WITHOUT: Final = r"(?=\bwithout\s[a-z]+ing\b)"
"""It denies what stands behind it alone: "works on a running cluster without affecting clients"."""
_CLAUSE: Final = re.compile(
    rf"{_JOINED}|{_WITHOUT}|"
    r"[;:—–]|,(?!\d|\s(?:other|rather|except|including)\b)|\b(?:but|although|though|whereas|while|because|unless|until|when|which|who|that(?!\s?[,.;])|if"
    r"|aber|obwohl|während|weil|dass|wenn|mais|que|qui|quand|pero|aunque|cuando)\b",
    re.I,
)
_MAIN: Final = re.compile(
    rf"{_JOINED}|{_WITHOUT}|"
    r"[;:—–]|,(?!\d|\s(?:other|rather|except|including)\b)"
    r"|\b(?:but|although|though|whereas|while|because|aber|obwohl|während|weil|mais|pero|aunque)\b",
    re.I,
)
"""What divides main clauses: "that identifies" belongs to what comes before."""
_PART: Final = re.compile(f"{_CLAUSE.pattern}|[()]", re.I)
_POSSIBLE: Final = frozenset({"may", "might", "could"})
_LIMITING: Final = frozenset({"unless"})
"""Words that divide clauses and limit the one before them."""
_ASIDE: Final = re.compile(r"\([^()]{0,300}\)")
_DENIAL: Final = re.compile(
    r"\b(?:lack(?:s|ed|ing)?|fail(?:s|ed|ure)?\s(?:to|of)|refus(?:e|es|ed)\sto|unable|impossible|"
    r"forbid\w*|prohibit\w*|unsupported|absent|cease[sd]?|stop(?:s|ped)?|den(?:y|ies|ied)\s(?:that|having))\b",
    re.I,
)
"""Words that deny and are no negations: together with one they affirm ("not impossible")."""
_NOT_DENIED: Final = re.compile(
    r"\b(?:no longer than|not only|no more than|no less than|not just|not necessarily|no doubt|no wonder)\b",
    re.I,
)
_LIMIT: Final = re.compile(
    r"\b(?:(?<!you )(?-i:may)|might|could|possibly|probably|perhaps|likely|unlikely|reportedly|allegedly|apparently|"
    r"suggest(?:s|ed)?|"
    r"seem(?:s|ed)?|appear(?:s|ed)?\sto|sometimes|often|usually|typically|generally|mostly|partly|some(?!\s(?:kind|sort|type)s?\sof)|several|many|"
    r"(?<!\bthe )(?<!\bits )(?<!\btheir )(?<!'s )most|few|unless|"
    r"only\sif|except|expected|plans?\sto|planned|proposed|hopes?\sto|"
    r"könnte\w*|vielleicht|vermutlich|wahrscheinlich|angeblich|manchmal|oft|meist\w*|einige|peut-être|parfois|souvent|"
    r"probablement|certains|quizás|tal\svez|a\sveces|probablemente|algunos)\b",
    re.I,
)
_CONDITION: Final = re.compile(
    r"\b(?:if|when|where|while|until|before|without|except|only|by default|unless|wenn|falls|bis|ohne|nur|außer|si|sans"
    r"|sauf|seulement|sin|solo|salvo|se|senza|als|tenzij|zonder|alleen|sem|jeśli|bez|tylko)\b",
    re.I,
)
_UNIVERSAL: Final = re.compile(
    r"\b(?:all|every|everyone|everybody|everything|anyone|anybody|anything|everywhere|always|never|entire(?:ly)?|completely|totally|any|none|"
    r"guarantee[sd]?|certainly|definitely|undoubtedly|absolutely|proven|proves|universally|invariably|"
    r"best|worst|largest|biggest|smallest|fastest|only|first(?!\s(?:two|three|four|few|\d))|unique(?:ly)?|exclusively|"
    r"alle[rsn]?|immer|niemals|jede[rsn]?|sämtliche|ausnahmslos|stets|tous|toutes|toujours|jamais|chaque|"
    r"todos|todas|siempre|nunca|cada)\b",
    re.I,
)

_EXACTLY: Final = re.compile(r"\b(?:exactly|single|sole(?:ly)?|alone|just one|nothing but|no other)\b", re.I)
"""Words that say of one thing what "only" does."""

_BORNE_OUT: Final = 0.33
_LEAST_BORNE_OUT: Final = 2
_DENIED_TOO: Final = 0.5
"""Share of a denial's wording that one denial of the source has, so that both deny the same."""

_KINDS_OF_ALL: Final = (
    frozenset("all every everyone everybody everything anyone anybody anything any entire entirely".split()),  # noqa: SIM905
    frozenset("always never invariably".split()),  # noqa: SIM905
)
"""Words that stand for each other, in two kinds."""


@dataclass(frozen=True)
class Clause:
    """A part of a sentence that affirms or denies as a whole."""

    terms: frozenset[str]
    denies: bool
    denied: frozenset[str] = frozenset()
    """Of them what its negations deny: in "does not protect against a wrong server", "protect"."""
    text: str = ""


def clauses_of(text: str) -> list[Clause]:
    """The clauses of a text with the words that each is about."""
    return _divided(text, _CLAUSE)


def main_clauses_of(text: str) -> list[Clause]:
    """The clauses of a text, each with those that depend on it."""
    return _divided(text, _MAIN)


def _divided(text: str, by: re.Pattern[str]) -> list[Clause]:
    asides = [aside[0].strip("()") for aside in _ASIDE.finditer(text)]
    parts = (part for one in (_ASIDE.sub(" ", text), *asides) for part in by.split(one) if part.strip())
    return [
        Clause(frozenset(terms(part)), denies(part), frozenset(denied_words(part)), part) for part in parts
    ]


def is_denied(
    statement: Sequence[Clause],
    source: Sequence[Clause],
    weights: Mapping[str, float],
    whole: Sequence[Clause] | None = None,
) -> bool:
    """Whether a clause of the statement affirms what the source only denies, or the other way round.

    A word counts against the statement if every clause of the source that has it has the other sign. A clause is
    denied if at least half of the weight that it shares with the source does so, unless a clause of the source with
    its own sign has a part of it too: a sentence that sums up several quotes has words of clauses of either sign, and
    no quote denies it.

    Args:
        statement: its clauses.
        source: the clauses that are compared with it.
        weights: of words.
        whole: all clauses of the source, which may bear it out; None: those that are compared.
    """
    signs: dict[str, set[bool]] = {}
    for clause in source:
        for term in clause.terms:
            signs.setdefault(term, set()).add(clause.denies)
    stated = [clause for clause in statement if clause.terms]
    return any(
        _is_against(clause, signs, weights, is_alone=len(stated) == 1)
        and not _is_borne_out(clause, whole or source, weights)
        for clause in stated
    )


def denies_the_same(
    statement: Sequence[Clause], source: Sequence[Clause], weights: Mapping[str, float]
) -> bool:
    """Whether the statement denies something, and each of its denials stands in the source too.

    Args:
        statement: its clauses.
        source: all clauses of the source.
        weights: of words.
    """
    denials = [clause for clause in statement if clause.denies]
    denying = [one for one in source if one.denies]
    return bool(denials) and all(
        any(
            clause.denied <= one.denied
            and _weight(clause.terms & one.terms, weights) >= _DENIED_TOO * _weight(clause.terms, weights)
            for one in denying
        )
        for clause in denials
    )


def widens(statement: str, source: str) -> list[str]:
    """The words by which a statement says more than its source: "all" and "always" where the source has none.

    Words that mean all of a kind stand for each other: "everyone has to" says no more than "anyone is forced to".
    """
    stated = {_word(match) for match in _UNIVERSAL.finditer(statement)}
    known = {_word(match) for match in _UNIVERSAL.finditer(source)}
    known |= {"only"} if _EXACTLY.search(source) else set()
    known |= (
        {"none"} if is_negated(source) else set()
    )  # "matches none of them" for "does not match one of them"
    return sorted(stated - known.union(*(kind for kind in _KINDS_OF_ALL if known & kind)))


def is_limited(text: str, about: Collection[str]) -> bool:
    """Whether a text has a condition, or a limit in a clause about something, so that it contradicts nothing that
    differs.

    Args:
        text: the text.
        about: stems of the words of what it is compared on.
    """
    if _CONDITION.search(text):
        return True
    parts = (part for part in _CLAUSE.split(text) if not set(about).isdisjoint(terms(part)))
    return any(_LIMIT.search(part) for part in parts)


def dropped_limits(statement: str, source: str) -> list[str]:
    """The limits ("may", "some", "usually") that the source sets to what it says and the statement leaves out.

    A limit in a part of the source of which the statement says little, such as an aside, limits something else.
    """
    if _LIMIT.search(statement):
        return []
    said, found, start = frozenset(terms(statement)), set(), 0
    ends = [
        *((end.start(), end.end(), _word(end)) for end in _PART.finditer(source)),
        (len(source), len(source), ""),
    ]
    for end, following, divider in ends:
        words = frozenset(terms(source[start:end]))
        common = len(words & said)
        if common >= _LEAST_BORNE_OUT or 2 * common >= len(words) > 0:
            limits = _LIMIT.finditer(source, start, end)
            found |= {_word(match) for match in limits if _limits_told(match, end, said)}
            found |= {divider} & _LIMITING
        start = following
    return sorted(found)


def _limits_told(limit: re.Match[str], end: int, said: Collection[str]) -> bool:
    """Whether what a verb of possibility limits is told: "the backup might be bulky" limits "bulky" alone."""
    if _word(limit) not in _POSSIBLE:
        return True
    behind = [
        stem(word) for word in WORD.findall(limit.string[limit.end() : end].lower()) if word not in LIGHT
    ]
    return not behind or behind[0] in said


def _is_against(
    clause: Clause, signs: Mapping[str, set[bool]], weights: Mapping[str, float], *, is_alone: bool
) -> bool:
    shared = [term for term in clause.terms if term in signs]
    # A single word in a part of a sentence: what is said of it is elsewhere.
    if len(shared) < 2 and not is_alone:
        return False
    if clause.denied and clause.denied.isdisjoint(signs):  # what it denies, the source does not speak of
        return False
    against = _weight((term for term in shared if signs[term] == {not clause.denies}), weights)
    return against > 0 and against >= 0.5 * _weight(shared, weights)


def _is_borne_out(clause: Clause, source: Sequence[Clause], weights: Mapping[str, float]) -> bool:
    """Whether a clause of the source with the same sign has several words of it, a third of what the source has."""
    known = clause.terms & frozenset[str]().union(*(one.terms for one in source))
    least = _BORNE_OUT * _weight(known, weights)
    common = (clause.terms & one.terms for one in source if one.denies == clause.denies)
    return any(len(words) >= _LEAST_BORNE_OUT and _weight(words, weights) >= least for words in common)


def _weight(terms_: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(term, 1.0) for term in terms_)


def denies(part: str) -> bool:
    """Whether a clause denies what it is about, by a negation or by a verb such as "lacks"."""
    bare = _NOT_DENIED.sub(" ", part)
    return is_negated(bare) != bool(_DENIAL.search(bare))


def _word(match: re.Match[str]) -> str:
    return " ".join(match[0].lower().split())
