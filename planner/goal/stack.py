"""The technology that a question is about ("Python GUI", "Vite React"), and results that are about another one."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from research_crawler.text.languages.words import WORD
from research_crawler.text.questions.wishes import asks_for_media

MOST_TECHNOLOGIES: Final = 4
"""Most technologies that the stack of a question names."""
MAX_STACK: Final = 120
"""Longest text of a stack, in characters."""
MEDIA_SITES: Final = frozenset(
    (
        "youtube.com", "youtu.be", "vimeo.com", "dailymotion.com", "tiktok.com", "shutterstock.com",
        "istockphoto.com", "gettyimages.com", "pexels.com", "unsplash.com", "pixabay.com", "freepik.com",
        "depositphotos.com", "dreamstime.com", "stock.adobe.com", "pinterest.com",
    )
)  # fmt: skip
"""Sites of videos and stock pictures, which hold no text about a technology."""
_KINDS: Final = frozenset(("GUI", "CLI", "API", "frontend", "backend", "desktop", "mobile"))
"""Words that say what is made with a technology; alone they name none."""


class Technology(NamedTuple):
    """A name of a technology and the language or platform that it belongs to."""

    name: str
    family: str


def technologies_of(goal: str, context: str = "") -> str:
    """The technologies that the goal names, else those of the context, as words; empty if there are none."""
    text = goal if _technologies(goal) else context
    names = [one.name for one in _technologies(text)[:MOST_TECHNOLOGIES]]
    kinds = [word for word in WORD.findall(goal) if word in _KINDS] if names else []
    return " ".join(dict.fromkeys([*names, *kinds]))


def unnamed_stack(stack: str, goal: str) -> str:
    """The words of the stack that the goal lacks: a caller or the context has named them."""
    known = {word.lower() for word in WORD.findall(goal)}
    return " ".join(word for word in stack.split() if word.lower() not in known)


def with_stack(query: str, stack: str) -> str:
    """The query with the names of the stack that it lacks."""
    known = {word.lower() for word in WORD.findall(query)}
    lacking = [word for word in stack.split() if word.lower() not in known]
    return " ".join([query, *lacking[:MOST_TECHNOLOGIES]])


def is_off_stack(stack: str, goal: str, *, url: str, title: str, snippet: str, host: str) -> bool:
    """Whether a result is about another technology than the question, or a video or picture that nobody asked for.

    Only a title or URL that names another language, with nothing of the question's own anywhere, is held against it.
    """
    if not stack:
        return False
    if _is_media(host) and not asks_for_media(goal):
        return True
    own = {technology.family for technology in _technologies(f"{stack} {goal}")}
    if not own:
        return False
    path = re.sub(r"[/_.?=&-]+", " ", url.partition("://")[2].partition("/")[2])
    others = {technology.family for technology in _technologies(f"{title} {path}")}
    if not others or others & own:
        return False
    return not own & {technology.family for technology in _technologies(snippet)}


def _is_media(host: str) -> bool:
    return any(host == site or host.endswith(f".{site}") for site in MEDIA_SITES)


def _technologies(text: str) -> list[Technology]:
    """The technologies that a text names, in order; names that are also words count only as they are written."""
    table, exact = _names()
    found = []
    for word in WORD.findall(text):
        technology = exact.get(word) or table.get(word.lower())
        if technology and technology not in found:
            found.append(technology)
    return found


@cache
def _names() -> tuple[dict[str, Technology], dict[str, Technology]]:
    """By name in small letters, and by exact spelling for those that are also words of the language."""
    data = tomllib.loads(files("planner.goal").joinpath("technologies.toml").read_text("utf-8"))
    table: dict[str, Technology] = {}
    exact: dict[str, Technology] = {}
    for family, names in data["names"].items():
        table |= {name.lower(): Technology(name, family) for name in names}
    for family, names in data["exactly"].items():
        exact |= {name: Technology(name, family) for name in names}
    return table, exact
