"""Which type of research a goal asks for, for callers that give none."""

import re
from typing import Final

from planner.goal.stack import stack_of
from research_crawler.core.models.commands import Intent
from research_crawler.core.models.jobs import ResearchType

_NEWS: Final = re.compile(
    r"\b(?:(?:latest|recent|breaking|today'?s|this week'?s|current|newest) (?:\w+ )?(?:news|headlines|developments|"
    r"events)|news (?:about|on|of|from|regarding)|headlines|what(?:'s| is| has)? (?:new|happened|happening) (?:with|in|"
    r"at|to|on|this week|today)|in the (?:last|past) (?:few days|week|24 hours|48 hours)|current events|"
    r"nachrichten (?:über|zu|von|aus)|neueste[nr]? (?:nachrichten|meldungen|entwicklungen)|aktuelle[nr]? "
    r"(?:nachrichten|meldungen|lage)|(?:dernières|récentes) (?:nouvelles|actualités)|actualités? (?:sur|de|du)|"
    r"(?:últimas|recientes) noticias|noticias (?:sobre|de)|ultime notizie|notizie (?:su|di)|laatste nieuws|"
    r"últimas notícias|najnowsze wiadomości)\b",
    re.I,
)
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


def detect_type(goal: str, intent: Intent) -> ResearchType:
    """The type of research that the wording of a goal asks for; an offer is always general research.

    Technical: it names a technology together with something that is done with one, or shows code.
    """
    if intent == "commerce":
        return "general"
    if _NEWS.search(goal):
        return "news"
    signs = (
        bool(stack_of(goal)) + bool(_CODE.search(goal)) + min(2, len(set(_TECHNICAL.findall(goal.lower()))))
    )
    return "technical" if signs >= _LEAST_SIGNS else "general"
