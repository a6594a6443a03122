"""What a goal asks to be made of it, in the words of several languages: news, documentation, the check of a claim."""

import re
from typing import Final

_NEWS: Final = re.compile(
    r"\b(?:(?:latest|recent|breaking|today's|this week's|current|newest) (?:\w+ )?"
    r"(?:news|headlines|developments|events)|(?:neueste|aktuelle)[nr]? (?:nachrichten|meldungen|entwicklungen)"
    r"|(?:dernières|récentes) (?:nouvelles|actualités)"
    r"|(?:últimas|recientes) noticias|ultime notizie|laatste nieuws|últimas notícias|najnowsze wiadomości)\b",
    re.I,
)
_DOCUMENTATION: Final = re.compile(r"(?:find |the )*(?:\w+ )?documentation for\b", re.I)
"""A goal that begins so asks for documentation and for nothing else."""
_CLAIM: Final = re.compile(
    r"\s*(?:is it (?:really )?(?:true|correct|a fact) that|is it the case that|fact[- ]?check"
    r"(?: (?:that|whether|if))?:?|(?:check|verify|confirm) (?:that|whether|if)|stimmt es,? dass|ist es wahr,? dass"
    r"|est-(?:il|ce) vrai que|"
    r"¿?es (?:cierto|verdad) que|è vero che|is het waar dat|é verdade que"
    r"|czy to prawda,? że)\s+(?P<claim>[^?]{10,400})",
    re.I,
)
"""A question that gives the claim itself."""
_MEDIA: Final = re.compile(r"\b(?:videos?|youtube|photos?|pictures?|images?|footage|clips?|bilder)\b", re.I)


def asks_for_news(goal: str) -> bool:
    """Whether a goal asks for what is new."""
    return _NEWS.search(goal) is not None


def asks_for_documentation(goal: str) -> bool:
    """Whether a goal asks for documentation and for nothing else."""
    return _DOCUMENTATION.match(goal.strip()) is not None


def asks_for_media(goal: str) -> bool:
    """Whether a goal asks for videos or pictures."""
    return _MEDIA.search(goal) is not None


def claim_to_check(goal: str) -> str:
    """The claim that a goal gives to be checked; empty if it gives none."""
    found = _CLAIM.match(goal)
    return found["claim"].strip(" .") if found else ""
