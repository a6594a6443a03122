"""How people ask for an offer in eight languages: what such a goal begins with, and its words for a low price."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

_POLITE: Final = (
    r"[¿¡]?(?:(?:please|ok|hey|hi|bitte|s'il te plaît|por favor)[ ,]+)*"
    r"(?:(?:can|could|would|will) you (?:please )?)?"
)
_ARTICLE: Final = (
    r"(?:(?:the|a|an|some|der|die|das|ein|eine|einen|de|het|een|le|la|un|une|el|una|il|o|um|uma)\s+)?"
)
_FEW_WORDS: Final = r"(?:\S+\s+){1,4}?"
"""A thing with what describes it, before a word for its price."""
_SUPERLATIVE_ENDING: Final = re.compile(r"(?:e?st)(?:e[nrsm]?)?$")
"""What makes a superlative of a Germanic word: `cheapest`, `günstigsten`, `goedkoopste`."""
_SUPERLATIVE_PREFIX: Final = "naj"
_DEGREE: Final = r"(?:más|mais|più|plus)"
"""What makes a superlative of a word that stands behind the thing: `el portátil más barato`."""
_GAP: Final = r"\b.{1,80}\b"


@dataclass(frozen=True)
class _Patterns:
    asks: re.Pattern[str]
    cheap: re.Pattern[str]
    begins: re.Pattern[str]
    known: re.Pattern[str]
    lowest: re.Pattern[str]


def asks_to_buy(text: str) -> bool:
    """Whether a goal begins with the wish to buy something: `find me a laptop`, `wo kann ich Farbe kaufen`.

    What is to be found may also be knowledge: `find me papers on sleep`.
    """
    patterns = _patterns()
    found = patterns.asks.match(text)
    return bool(found) and not patterns.known.match(text, found.end() if found else 0)


def asks_for_cheap_thing(text: str) -> bool:
    """Whether a goal begins with a thing that is to be cheap: `the cheapest SSD`, `portátil barato`."""
    return _patterns().cheap.match(text) is not None


def words_for_cheapest(text: str) -> str:
    """The first words of a text that ask for the lowest price, not only for a low one; "" if none do.

    `cheapest`, `den günstigsten`, `más barato`, `le moins cher`; no comparison with another thing: `más barato que`.
    """
    cheap = {word for value in _data().values() for word in value["cheap"]}
    for found in re.finditer(r"\w+", text):
        word = found[0].casefold()
        is_own = word.startswith(_SUPERLATIVE_PREFIX) and word in cheap
        if is_own or (_SUPERLATIVE_ENDING.search(word) and _SUPERLATIVE_ENDING.sub("", word) in cheap):
            return found[0]
    behind = _patterns().lowest.search(text)
    return behind[0] if behind else ""


def language_of_wish(text: str) -> str:
    """The language whose words for a purchase or a low price a text has; "" if none, or only English ones."""
    low = text.lower()
    for code, words in _data().items():
        wishes = [word for word in (*words["asks"], *words["cheap"]) if "…" not in word]
        if code != "en" and re.search(rf"(?<!\w){_any(wishes)}(?!\w)", low):
            return code
    return ""


def begins_as_question(text: str) -> bool:
    """Whether a text is a question, or asks to be told something, by its first words or its last sign."""
    return text.rstrip().endswith(("?", "？")) or _patterns().begins.match(text) is not None


@cache
def _patterns() -> _Patterns:
    data = _data()
    words = {
        name: [word for value in data.values() for word in value[name]]
        for name in ("asks", "begins", "known")
    }
    before = _any(word for value in data.values() if "cheap_behind" not in value for word in value["cheap"])
    behind = _any(word for value in data.values() if "cheap_behind" in value for word in value["cheap"])
    compared = [word for value in data.values() for word in value["cheap"] if word.startswith("moins ")]
    return _Patterns(
        asks=re.compile(rf"{_POLITE}{_any(words['asks'])}(?!\w)", re.I),
        cheap=re.compile(rf"(?:find\s+)?{_ARTICLE}(?:{before}\s+\w|{_FEW_WORDS}{behind}(?!\w))", re.I),
        begins=re.compile(rf"{_POLITE}{_any(words['begins'])}(?=[\s,:])", re.I),
        lowest=re.compile(rf"\b(?:{_DEGREE}\s+{behind}|{_any(compared)})s?\b(?!\s+(?:do\s+)?que\b)", re.I),
        known=re.compile(rf"\s+(?:\S+\s+){{0,2}}?{_any(words['known'])}(?!\w)", re.I),
    )


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("shopping.toml").read_text("utf-8"))


def _any(texts: Iterable[str]) -> str:
    escaped = (re.escape(text).replace(r"\ …\ ", _GAP).replace(r"\ ", r"\s+") for text in texts)
    return f"(?:{'|'.join(sorted(escaped, key=len, reverse=True))})"
