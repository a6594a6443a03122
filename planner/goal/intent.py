"""Read from a goal whether it asks for knowledge or for an offer, and what matters most in it."""

import re

from research_crawler.core.models.commands import Intent
from research_crawler.extraction.products.price.prose import AT_MOST, NamedPrice, named_prices

_QUESTION = re.compile(
    r"^(?:(?:please|so|ok|hey|hi|and)[ ,]+)*(?:(?:can|could|would|will) you )?(?:please )?(?:"
    r"what|which|who|whom|whose|why|when|how|is|are|do|does|did|should|"
    r"tell me|explain|describe|summari[sz]e|teach me|inform me|find out|research|investigate|compare|"
    r"was|welche[rs]?|wer|warum|wann|wie|erkläre|qui|quoi|quel(?:le)?s?|pourquoi|comment|"
    r"qué|quién|por qué|cómo|cuál(?:es)?)\b",
    re.I,
)
_WANTS_OFFER = re.compile(
    r"\b(?:buy|purchase|order|for sale|shop(?:ping)? for|kaufen|bestellen|acheter|commander|comprar)\b", re.I
)
_WHERE_TO_BUY = re.compile(r"\bwhere\b.{0,30}\b(?:buy|purchase|order|get)\b|\bwo\b.{0,30}\bkaufen\b", re.I)
_CEILING = re.compile(rf"\b(?:{AT_MOST})\s$", re.I)
_LEAST_BARE = 100
"""Least number without a currency that counts as a price after "under" and the like; "politicians under 30" names
none."""
_PRICE_WORDS = re.compile(
    r"\b(?:cheap(?:er|est)?|inexpensive|affordable|lowest price|best price|best deal|bargain|discounted)\b"
    r"|\b(?:günstig\w*|billig\w*|preiswert\w*|pas cher|bon marché|barat[oa]s?)\b",
    re.I,
)
_FIND = re.compile(r"\bfind me\s+(?P<for_me>.+)|^(?:please )?find\s+(?P<object>.+)", re.I)
_KNOWLEDGE = re.compile(
    r"^(?:\w+(?: \w+)?(?= )|)\s*\b(?:out|information|info|facts?|articles?|papers?|stud(?:y|ies)|sources?|"
    r"evidence|documentation|docs|news|research|examples?|reasons?|causes?|answers?|explanations?|literature|statistics|"
    r"data|reviews?|opinions?)\b",
    re.I,
)
_FACT = re.compile(r"^(?:the|how|what|who|why|when|where|whether|if)\b", re.I)
_PRIORITY = re.compile(
    r"\b(cheap(?:est|er)?|affordable|budget|best|fastest|quietest|lightest|smallest|largest|newest|latest|safest|"
    r"most (?:reliable|recent|durable|popular|powerful)|top[- ]rated|recent"
    r"|inexpensive|not (?:too|very) (?:expensive|dear)|low[- ]cost|good value)\b",
    re.I,
)


def detect_intent(goal: str) -> Intent:
    """The intent of a goal, for callers that give none.

    A question is informational, even about products ("what is the best X"). "find me", "buy" and a limit on the
    price mean commerce. Any other goal is informational: phase 1 alone answers it.
    """
    text = " ".join(goal.split())
    if _WHERE_TO_BUY.search(text):
        return "commerce"
    if _QUESTION.match(text):
        return "informational"
    if match := _FIND.search(text):
        return _intent_of_find(match["for_me"], match["object"], text)
    return "commerce" if _WANTS_OFFER.search(text) or _limits_price(text) else "informational"


def _limits_price(text: str) -> bool:
    return bool(_PRICE_WORDS.search(text)) or any(
        _CEILING.search(text[: named.start]) and (named.has_mark or _is_bare_price(named, text))
        for named in named_prices(text)
    )


def _is_bare_price(named: NamedPrice, text: str) -> bool:
    return named.low.amount >= _LEAST_BARE and not named.is_count_in(text)


def _intent_of_find(for_me: str | None, thing: str | None, text: str) -> Intent:
    """The intent of a goal with "find".

    `find me a laptop` and `find RTX 4060 laptops` ask for offers; `find papers on X` and `find the X` do not.
    """
    if _KNOWLEDGE.match(for_me or thing or ""):
        return "informational"
    if for_me is None and _FACT.match(thing or "") and not _limits_price(text):
        return "informational"
    return "commerce"


def priorities(goal: str) -> list[str]:
    """The words in a goal that say what matters most ("cheapest", "best"), in lower case and in order."""
    return list(dict.fromkeys(word.lower() for word in _PRIORITY.findall(goal)))
