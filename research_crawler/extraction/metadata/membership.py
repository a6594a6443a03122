"""Recognizes what a thread says of its members: since when they belong to the forum, when they were last seen.

Such a date stands beside every post and is not the date of the post.
"""

import re

_SINCE = (
    r"(?:join(?:ed|[\s_-]?date)|member[\s_-]?since|regist(?:ered|ration|riert)|sign(?:ed)?[\s_-]?up"
    r"|last[\s_-]?(?:seen|active|activity|online|visit)|birth(?:day|date)"
    r"|mitglied seit|dabei seit|beigetreten|inscrit|inscription|membre depuis|miembro desde|registrado|ingreso"
    r"|membro (?:desde|da)|iscritto|registrato|geregistreerd|lid sinds|zarejestrowany|dołączył|rejestracja)"
)
_LABEL = re.compile(rf"{_SINCE}(?: (?:on|at|am|le|el|em|il|op))?\s*+:?\s*+", re.I)
_NAME_PART = re.compile(
    r"(?:^|[-_])join(?:ed|[-_]?date)?(?:$|[-_])|member[-_]?since|regist(?:er|ration)|last[-_]?(?:seen|active|visit)",
    re.I,
)
_DATE_CHARS = 40


def says_since(text: str) -> bool:
    """Whether a short text is, or begins with, "Joined", "Member since" or the like."""
    return len(text) <= 2 * _DATE_CHARS and _LABEL.match(text.strip()) is not None


def is_since_label(text: str) -> bool:
    """Whether a text is nothing but such a label, so that the date follows it."""
    return _LABEL.fullmatch(text.strip()[: 2 * _DATE_CHARS]) is not None


def names_since(names: str) -> bool:
    """Whether the class names or the id of an element say that it holds such a date."""
    return any(_NAME_PART.search(name) for name in names.split())
