"""What texts and goals say about a purchase: praise, warnings, former prices, conditions, colours, what a product is
for. The words of all languages stand in `purchase.toml`, by what they tell."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from research_crawler.core.models.offers.products import Condition

Said = Literal[
    "warning",
    "praise",
    "advice",
    "selling",
    "cost",
    "former_price",
    "in_stock",
    "field_of_stock",
    "field_of_colour",
]
TOPICS: Final = ("products", "prices", "specs", "vendors")
"""What earlier research tells of a purchase."""
_BOUGHT_AT: Final = re.compile(
    r"\b(?:bought|ordered|paid|got|sold|available|deal|price)\b[^.!?]{0,60}?\b(?:at|from|on|by)\s"
    r"(?P<shop>[A-Z][\w&'’-]+(?:\s(?:& )?[A-Z][\w&'’-]+){0,2})"
)
CHECKED_CONDITIONS: Final[tuple[Condition, ...]] = ("refurbished", "used", "open_box", "new")
"""The conditions that words tell, in the order in which they are looked for."""


def says(what: Said, text: str) -> bool:
    """Whether a text has words that tell this."""
    return _pattern(what).search(text) is not None


def words_saying(what: Said, text: str) -> str:
    """The first words of a text that tell this; empty if none do."""
    found = _pattern(what).search(text)
    return found[0] if found else ""


def condition_in(text: str) -> Condition | None:
    """The condition that a goal or a sentence names; None if it names none."""
    return next((name for name in CHECKED_CONDITIONS if _pattern(name).search(text)), None)


def colours_in(text: str) -> list[str]:
    """The colours that a text names, in English."""
    return [name for name, words in _data()["colours"].items() if _colour(words).search(text)]


def before_use(name: str, *, equipment: bool = True, limits: bool = False) -> str:
    """A product's name without what it is for ("cooling pad for a laptop").

    Args:
        name: the name, or words of a goal for a product.
        equipment: leave out what it comes with, too.
        limits: leave out what limits the choice, too: "laptop under 900".
    """
    return _behind(equipment, limits).split(f"{name} " if limits else name, maxsplit=1)[0]


def is_difference(before: str, behind: str) -> bool:
    """Whether an amount is what one price is above or below another, by the words around it: "$150 less"."""
    return bool(_difference("behind").match(behind) or _difference("before").search(before))


def priorities_in(goal: str) -> list[str]:
    """The words of a goal that say what matters most in it ("cheapest", "most reliable"), each once."""
    return list(dict.fromkeys(found[0].lower() for found in _pattern("priority").finditer(goal)))


def shops_in(text: str) -> list[str]:
    """The names of those from whom somebody bought something, or with whom a price is: "I got mine from Ace & Sons"."""
    return [found["shop"] for found in _BOUGHT_AT.finditer(text)]


def topic_in(label: str) -> str:
    """What stands below a label or heading of earlier research: one of TOPICS, or empty."""
    return next((name for name in TOPICS if re.search("|".join(_data()["topics"][name]), label, re.I)), "")


def without_generic(heading: str) -> str:
    """A heading without signs, numbers and the words that say only that it is earlier research."""
    return re.sub(rf"[#§\d.:()–-]|\b(?:{'|'.join(_data()['topics']['generic'])})\b", " ", heading, flags=re.I)


def says_nothing(text: str) -> bool:
    """Whether a text says that there is nothing: "none", "n/a"."""
    return re.match(rf"\(?(?:{'|'.join(_data()['topics']['nothing'])})\b", text, re.I) is not None


@cache
def _pattern(what: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_data()['says'][what])})", re.I)


@cache
def _difference(side: str) -> re.Pattern[str]:
    words = "|".join(_data()["differences"][side])
    return re.compile(rf"\s?(?:{words})\b" if side == "behind" else rf"\b(?:{words})\s$", re.I)


@cache
def _colour(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words.split())})(?:e[nrsm]?|s)?\b", re.I)


@cache
def _behind(equipment: bool, limits: bool) -> re.Pattern[str]:
    links = _data()["links"]
    words = [*links["use"], *(links["equipment"] * equipment), *(links["limits"] * limits)]
    return re.compile(rf"\s(?:{'|'.join(words)})\s", re.I)


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("purchase.toml").read_text("utf-8"))
