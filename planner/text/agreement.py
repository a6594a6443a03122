"""Compare two sentences by what a vector hardly shows: names, figures and negations."""

import re
from collections import Counter
from typing import Final

from planner.text.subject import names_in
from planner.text.words import WORD, stem

_FIGURE: Final = re.compile(r"\d++(?:[.,]\d++)*+")
_GROUP: Final = re.compile(r"[.,](?=\d{3}(?!\d))")
_NEGATIONS: Final = frozenset(
    """
    no not never none nobody nothing neither nor without cannot hardly nicht kein keine keinen keiner keines keinem nie
    niemals ohne weder pas jamais aucun aucune sans rien ni sin nunca ninguno ninguna nada non mai senza nessun nessuna
    niet geen nooit zonder não nem sem nunca nenhum nie bez nigdy żaden
    """.split()  # noqa: SIM905  # a list of words reads better so
)


def says_the_same_of(one: str, other: str) -> bool:
    """Whether two sentences have the same figures, each the other's names, and both or neither a negation."""
    if figures_in(one) != figures_in(other) or is_negated(one) != is_negated(other):
        return False
    return _names(one) <= _stems(other) and _names(other) <= _stems(one)


def figures_in(text: str) -> set[str]:
    """The numbers in a text, in one spelling: `1,200` is `1200`, and `1,5` is `1.5`."""
    return {_GROUP.sub("", figure).replace(",", ".") for figure in _FIGURE.findall(text)}


def _names(text: str) -> set[str]:
    return {name for name in names_in(text) if not name.replace(".", "").isdecimal()}


def _stems(text: str) -> set[str]:
    return {stem(word.lower().replace("’", "'").removesuffix("'s")) for word in WORD.findall(text)}


def is_negated(text: str) -> bool:
    """Whether a text has a negation, in any language of reports."""
    return bool(negations_in(text))


def negations_in(text: str) -> Counter[str]:
    """The negations of a text, in any language of reports, with how often each stands there."""
    words = WORD.findall(text.lower().replace("’", "'"))
    return Counter(word for word in words if word in _NEGATIONS or word.endswith("n't"))
