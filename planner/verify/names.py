"""Find the names that a statement gives, and those of them that a source lacks."""

import re
from collections.abc import Collection
from typing import Final

from planner.goal.language import report_language
from research_crawler.text.subject import names_in
from research_crawler.text.words import STOPWORDS, WORD, stem

_LEADING_CAPITAL: Final = re.compile(r"^\W*(?P<first>[^\W\d_][\w'’.-]*)\s+(?P<second>[^\W_][\w'’-]*)")
_ACRONYM: Final = re.compile(r"[A-Z][A-Z&]+\d*")
_NO_NAME: Final = re.compile(r"[\d.,-]+|\d+(?:-[^\W\d_]+)+")
"""Numbers, and compounds of them ("4-game", "2-on-1"), which are compared by value."""
_COUNTED: Final = re.compile(
    r"(?:port|page|line|level|step|version|section|chapter|part|phase|day|week|year)-(?P<number>\d++)"
)
"""A number with what it counts ("port-80"), which a source may tell otherwise (`*:80`): no name."""
_RUN: Final = re.compile(
    r"(?<![\w'’-])[A-Z][\w'’-]*+(?:\s++(?:(?:of|the|for|and|de|du|der)\s++){0,2}[A-Z][\w'’-]*+)+"
)
"""Words with capitals in a row, such as the name of an institution."""
_CAPITAL_NOUNS: Final = frozenset({"de"})
"""Languages in which a capital makes no name of a noun."""
_ADJECTIVE_ENDS: Final = ("e", "er", "es", "en", "em")
"""The first word of a German sentence that is written so before a noun is mostly an adjective: "Ältere Versionen"."""
_SHARED: Final = 5
"""So many letters make `Australian` and `Australia`, or `Norwegians` and `Norway`, the same name."""
_ENDING: Final = 4


def names_of(text: str, language: str = "") -> set[str]:
    """Stems of the names of a sentence. Its first word counts where a capital or a digit follows it.

    Args:
        text: the sentence.
        language: its language; "": told by its words, which a short sentence has too few of.
    """
    names = {name for name in names_in(text) if not _NO_NAME.fullmatch(name) and not _is_function_word(name)}
    lead = _LEADING_CAPITAL.match(text)
    if lead and lead["first"][0].isupper() and lead["first"].lower() not in STOPWORDS:
        follows = lead["second"]
        if (
            follows[0].isupper()
            or lead["first"].isupper()
            or any(char.isupper() for char in lead["first"][1:])
        ):
            names.add(_stem(lead["first"]))
    names = {name for name in names if len(name) > 1}
    has_nouns = bool(names) and (language or report_language(text)) in _CAPITAL_NOUNS
    return names & _names_among_nouns(text) if has_nouns else names


def _names_among_nouns(text: str) -> set[str]:
    """Stems of the words that are names where every noun has a capital: those with a capital or digit within them, and
    those of a run of capitals ("Erika Mustermann")."""
    found = {
        word for word in WORD.findall(text) if any(char.isdigit() or char.isupper() for char in word[1:])
    }
    start = len(text) - len(text.lstrip(" „“»'`"))
    for match in _RUN.finditer(text):
        words = [word for word in match[0].split() if word.lower() not in STOPWORDS and word[0].isupper()]
        if match.start() == start and words and words[0].endswith(_ADJECTIVE_ENDS):
            words = words[1:]
        found.update(words if len(words) > 1 else ())
    return {_stem(word) for word in found}


def _is_function_word(name: str) -> bool:
    """Whether a name is a word such as "I'm" or "That's"; they have capitals behind quotation marks."""
    return re.split(r"['’]", name)[0] in STOPWORDS


def missing_names(
    text: str, known: Collection[str], sources: Collection[str], language: str = ""
) -> set[str]:
    """The names of a sentence that no source has, neither as they are nor as an adjective, a part or initials.

    Args:
        text: the sentence.
        known: the stems of all words of the sources.
        sources: the texts themselves.
        language: of the sentence; "": told by its words.
    """
    left = {name for name in names_of(text, language) if name not in known and not _is_akin(name, known)}
    if not left:
        return left
    runs = [run for source in sources for run in _RUN.findall(source)]
    left = {name for name in left if name not in {_initials(run) for run in runs}}
    if left:
        acronyms = {short.lower() for source in sources for short in _ACRONYM.findall(source)}
        told = (run for run in _RUN.findall(text) if _initials(run) in acronyms)
        left -= {_stem(word) for run in told for word in WORD.findall(run)}
    return left


def _is_akin(name: str, known: Collection[str]) -> bool:
    """Whether a source has the name in another form, or every part of a compound one."""
    parts = [part for part in re.split(r"[-.'’/]", name) if part]
    if len(parts) > 1 and all(stem(part) in known for part in parts):
        return True
    if (counted := _COUNTED.fullmatch(name)) and counted["number"] in known:
        return True
    if len(name) < _SHARED or any(char.isdigit() for char in name):
        return False
    head = name[:_SHARED]
    return any(
        word.startswith(head) and _common(name, word) >= max(len(name), len(word)) - _ENDING for word in known
    )


def _common(one: str, other: str) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _initials(run: str) -> str:
    """The initials of a run of words with capitals: `Royal Australian Navy` gives `ran`."""
    return "".join(word[0] for word in run.split() if word[0].isupper()).lower()


def _stem(word: str) -> str:
    return stem(word.lower().replace("’", "'").removesuffix("'s"))


def named_share(text: str, known: Collection[str]) -> float:
    """The share of a text's names that a source has; 1 if it has none.

    Args:
        text: the text.
        known: stems of all words of the source.
    """
    names = names_of(text)
    return sum(name in known for name in names) / len(names) if names else 1.0
