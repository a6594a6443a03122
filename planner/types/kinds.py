"""Which type of research a goal asks for, for callers that give none."""

import re
from typing import Final

from planner.goal.stack import stack_of
from research_crawler.core.models.commands import Intent
from research_crawler.core.models.jobs import ResearchType

_NEWS: Final = re.compile(
    r"\b(?:(?:latest|recent|breaking|today'?s|this week'?s|current|newest) (?:\w+ )?(?:news|headlines|developments|"
    r"events)|neueste[nr]? (?:nachrichten|meldungen|entwicklungen)|aktuelle[nr]? (?:nachrichten|meldungen|lage)|"
    r"(?:dernières|récentes) (?:nouvelles|actualités)|(?:últimas|recientes) noticias|ultime notizie|laatste nieuws|"
    r"últimas notícias|najnowsze wiadomości)\b",
    re.I,
)
_ABOUT_NEWS: Final = re.compile(
    r"\b(?:news (?:about|on|of|from|regarding)|headlines|what(?:'s| is) (?:new|happening) (?:with|in|at|to|on)|"
    r"current events|nachrichten (?:über|zu|von|aus)|actualités? (?:sur|de|du)|noticias (?:sobre|de)|"
    r"notizie (?:su|di))\b",
    re.I,
)
"""Asks for news, unless it is about another time: `history of the News of the World`."""
_HAPPENED: Final = re.compile(
    r"\b(?:what(?:'s| has| is)? (?:new|happen(?:ed|s|ing)|changed|going on)|was (?:ist|hat|passiert|geschieht|geschah)|"
    r"que s'est-il passé|que se passe-t-il|qué (?:ha pasado|pasó|pasa)|cosa (?:è successo|succede)|"
    r"wat (?:is er gebeurd|gebeurt)|o que (?:aconteceu|acontece)|co się (?:stało|dzieje))\b",
    re.I,
)
"""Asks for events of any time; only a word for these days makes it a question about news."""
_THESE_DAYS: Final = re.compile(
    r"\b(?:today|tonight|yesterday|right now|this (?:week|morning|afternoon|evening|weekend|month)|"
    r"(?:last|past) (?:week|weekend|night|few (?:days|hours))|"
    r"(?:last|past) (?:\d{1,3}|two|three|four|five|six|seven) (?:days|hours)|recently|lately|these days|"
    r"heute|gestern|gerade|diese (?:woche|tage)|letzte woche|in den letzten tagen|neulich|kürzlich|"
    r"aujourd'hui|hier|cette semaine|récemment|hoy|ayer|esta semana|recientemente|oggi|ieri|questa settimana|"
    r"recentemente|vandaag|gisteren|deze week|onlangs|hoje|ontem|dzisiaj|dziś|wczoraj|w tym tygodniu|ostatnio)\b",
    re.I,
)
_PAST: Final = re.compile(
    r"\b(?:histor(?:y|ical|ically)|ancient|medieval|\d{1,2}(?:st|nd|rd|th) century|"
    r"(?:first|second|third|fourth|fifth|[a-z]{3,8}teenth|twentieth) century|(?:1\d{3}|20\d0)s|"
    r"(?:years|decades|centuries) ago|last (?:year|decade|century)|geschichte (?:von|der|des)|jahrhundert|histoire de|"
    r"siècle|historia de|siglo|storia di|secolo)\b",
    re.I,
)
"""The subject is of another time."""
_RELEASE: Final = re.compile(r"\b(?:new|changed) (?:in|with) (?:\S+ ){1,4}v?\d+(?:\.\d+)*\W*$", re.I)
"""`what's new in Python 3.13` asks for the changes of a release."""
_YEAR: Final = re.compile(r"\b(1\d{3}|20\d\d)\b")
_TECHNICAL: Final = re.compile(
    r"\b(?:api|sdk|config(?:ure|uration)?|install(?:ing|ation)?|compile|deploy|debug|error (?:message|code)|exception|"
    r"stack ?trace|command[- ]line|syntax|regex|library|framework|module|package|function|method|class|parameter|"
    r"database|query|schema|server|protocol|algorithm|implement(?:ing|ation)?|documentation|specification|rfc ?\d+|"
    r"kernel|driver|firmware|container|repository|branch|commit|directive|flag|environment variable|"
    r"konfigurieren|installieren|datenbank|schnittstelle|configurer|installer|base de données|configurar|instalar)\b",
    re.I,
)
_CODE: Final = re.compile(
    r"`[^`]{1,80}`|\b\w{1,60}\(\)|(?<![\w-])--?[a-z][\w-]{1,40}\b|\b[a-z]{1,40}_[a-z_]{1,40}\b|\b[a-z]{2,40}[A-Z]\w{1,40}\b"
)
_LEAST_SIGNS: Final = 2


def detect_type(goal: str, intent: Intent, *, today: str = "") -> ResearchType:
    """The type of research that the wording of a goal asks for; an offer is always general research.

    News: it asks for news, or for what happened in these days; what happened at another time is general research.
    Technical: it names a technology together with something that is done with one, or shows code.

    Args:
        today: ISO date; a goal that names an earlier year is about the past. Empty: any year is the past.
    """
    if intent == "commerce":
        return "general"
    if _is_news(goal, today):
        return "news"
    signs = (
        bool(stack_of(goal)) + bool(_CODE.search(goal)) + min(2, len(set(_TECHNICAL.findall(goal.lower()))))
    )
    return "technical" if signs >= _LEAST_SIGNS else "general"


def _is_news(goal: str, today: str) -> bool:
    if (years := _YEAR.findall(goal)) and max(years) < (today[:4] or "9999"):
        return False
    if _NEWS.search(goal) or (_HAPPENED.search(goal) and _THESE_DAYS.search(goal)):
        return True
    return bool(_ABOUT_NEWS.search(goal)) and not (_PAST.search(goal) or _RELEASE.search(goal))
