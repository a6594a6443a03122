"""Compare two sentences by what a vector hardly shows: names, figures and negations."""

import re
from collections import Counter
from typing import Final

from research_crawler.text.subject import names_in
from research_crawler.text.words import WORD, stem

_FIGURE: Final = re.compile(r"\d++(?:[.,]\d++)*+")
_GROUP: Final = re.compile(r"[.,](?=\d{3}(?!\d))")
_NEGATIONS: Final = frozenset(
    """
    no not never none nobody nothing neither nor without cannot hardly nicht kein keine keinen keiner keines keinem nie
    niemals ohne weder pas jamais aucun aucune sans rien ni sin nunca ninguno ninguna nada non mai senza nessun nessuna
    niet geen nooit zonder não nem sem nunca nenhum nie bez nigdy żaden
    """.split()  # noqa: SIM905  # a list of words reads better so
)

_BEFORE_VERB: Final = frozenset({"no", "not", "never", "cannot"})
"""English negations, behind which stands what they deny; in other languages the verb stands before."""
LIGHT: Final = frozenset(
    """
    a an the any some this that these those its their his her your our my it they to of in on at for with and or
    be been being is are was were do does did have has had get gets got can will would should must may might could
    ever yet always necessarily really currently actually normally usually generally directly only just even much
    very more longer also quite so support supports supported offer offers include includes included contain contains
    provide provides provided come comes feature features allow allows allowed let lets permit permits give gives need
    needs require requires required accept accepts take takes make makes work works run runs
    """.split()  # noqa: SIM905  # a list of words reads better so
)
"""Words behind a negation that another statement need not have to be denied: "does not support Bluetooth" denies
"comes with Bluetooth"."""


def says_the_same_of(one: str, other: str) -> bool:
    """Whether two sentences have the same figures, each the other's names, and both or neither a negation."""
    if figures_in(one) != figures_in(other) or is_negated(one) != is_negated(other):
        return False
    return _names(one) <= stems_of(other) and _names(other) <= stems_of(one)


def figures_in(text: str) -> set[str]:
    """The numbers in a text, in one spelling: `1,200` is `1200`, and `1,5` is `1.5`."""
    return {_GROUP.sub("", figure).replace(",", ".") for figure in _FIGURE.findall(text)}


def _names(text: str) -> set[str]:
    return {name for name in names_in(text) if not name.replace(".", "").isdecimal()}


def stems_of(text: str) -> set[str]:
    """The stems of all words of a text."""
    return {stem_of(word) for word in WORD.findall(text)}


def stem_of(word: str) -> str:
    """The stem by which a word is compared with a name: without the "'s" behind it."""
    return stem(word.lower().replace("’", "'").removesuffix("'s"))


def is_negated(text: str) -> bool:
    """Whether a text has a negation, in any language of reports."""
    return bool(negations_in(text))


def negations_in(text: str) -> Counter[str]:
    """The negations of a text, in any language of reports, with how often each stands there."""
    words = WORD.findall(text.lower().replace("’", "'"))
    return Counter(word for word in words if word in _NEGATIONS or word.endswith("n't"))


def denied_words(text: str) -> set[str]:
    """The stems of what English negations of a text deny: of the first full word behind each of them."""
    words = WORD.findall(text.lower().replace("’", "'"))
    first = (
        next((following for following in words[n + 1 :] if following not in LIGHT), "")
        for n, word in enumerate(words)
        if word in _BEFORE_VERB or word.endswith("n't")
    )
    return {stem(word) for word in first if word}
