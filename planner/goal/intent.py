"""Read from a goal whether it asks for knowledge or for an offer, and what matters most in it."""

import re
from typing import Final

from research_crawler.core.models.intent import Intent
from research_crawler.extraction.products.price.prose import AT_MOST, NamedPrice, named_prices
from research_crawler.extraction.products.vocabulary.stock_words import words_of_availability
from research_crawler.text.languages.language import detect
from research_crawler.text.offers.purchase import priorities_in, says
from research_crawler.text.offers.shopping import asks_for_cheap_thing, asks_to_buy, begins_as_question
from research_crawler.text.questions.question import parse_question

_CEILING: Final = re.compile(rf"\b(?:{AT_MOST})\s$", re.I)
_OPENING_MARKS: Final = "¿¡\"'“„«( "
"""What may stand before the first word."""
_LEAST_BARE: Final = 100
"""Least number without a currency that counts as a price after "under" and the like; "politicians under 30" names
none."""


def detect_intent(goal: str) -> Intent:
    """The intent of a goal, for callers that give none; a model may correct it in its first answer.

    It is commerce only if the goal begins with the wish to buy ("find me", "buy", "where can I buy"), or is no
    question and begins with a cheap thing or names a highest price. A word such as "order" or "purchase" elsewhere
    says nothing: the order of operations, the Louisiana Purchase.
    """
    text = " ".join(goal.split()).lstrip(_OPENING_MARKS)
    if asks_to_buy(text):
        return "commerce"
    if begins_as_question(text):
        return "informational"
    return "commerce" if asks_for_cheap_thing(text) or _limits_price(text) else "informational"


def _limits_price(text: str) -> bool:
    return any(
        _CEILING.search(text[: named.start]) and (named.has_mark or _is_bare_price(named, text))
        for named in named_prices(text)
    )


def _is_bare_price(named: NamedPrice, text: str) -> bool:
    return named.low.amount >= _LEAST_BARE and not named.is_count_in(text)


def priorities(goal: str) -> list[str]:
    """The words in a goal that say what matters most ("cheapest", "best"), in lower case and in order."""
    return priorities_in(goal)


def asks_cost_or_stock(question: str) -> bool:
    """Whether a question is about what an offer says: what a thing costs or, by yes or no, if it can be had."""
    if says("cost", question):
        return True
    is_yes_no = parse_question(question, detect(question)).answer_type == "yes_no"
    return is_yes_no and words_of_availability(question) != "unknown"
