"""What a person has chosen for the pages: the language, and light or dark. It is kept in cookies of the browser."""

from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import unquote
from zoneinfo import ZoneInfo, available_timezones

from fastapi import Request, Response

from research_crawler.interfaces.dashboard.page_words import PAGE_LANGUAGES, language_for
from research_crawler.interfaces.http.access import DASHBOARD

THEMES: Final = ("light", "dark")
"""What may be chosen; else the pages follow the system."""
LANGUAGE_COOKIE: Final = "research_ui_language"
THEME_COOKIE: Final = "research_ui_theme"
ZONE_COOKIE: Final = "research_ui_zone"
"""The browser's time zone, which the script of the pages keeps there."""
CHOICE_KEPT_S: Final = 365 * 24 * 3600
"""How long a browser keeps the chosen language and theme."""


@dataclass(frozen=True)
class Preferences:
    """What the pages of one person look like."""

    language: str
    theme: str = ""
    """`light`, `dark`, or empty: as the system has it."""


def preferences_of(request: Request) -> Preferences:
    """What the person of this request has chosen, or the browser asks for."""
    theme = request.cookies.get(THEME_COOKIE, "")
    language = language_for(
        request.cookies.get(LANGUAGE_COOKIE, ""), request.headers.get("accept-language", "")
    )
    return Preferences(language, theme if theme in THEMES else "")


def zone_of(request: Request) -> ZoneInfo:
    """The time zone of the person's browser; UTC where no script runs."""
    name = unquote(request.cookies.get(ZONE_COOKIE, ""))
    return ZoneInfo(name if name in _zones() else "UTC")


@cache
def _zones() -> set[str]:
    return available_timezones()


def keep_preferences(request: Request, answer: Response, *, language: str, theme: str) -> None:
    """Keep a choice; what is no choice is forgotten."""
    for cookie, value, choices in (
        (LANGUAGE_COOKIE, language, tuple(PAGE_LANGUAGES)),
        (THEME_COOKIE, theme, THEMES),
    ):
        answer.set_cookie(
            cookie,
            value if value in choices else "",
            max_age=CHOICE_KEPT_S if value in choices else 0,
            path=DASHBOARD,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
