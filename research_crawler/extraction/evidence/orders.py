"""Recognises texts that give orders to a machine that reads them, which are no evidence of anything."""

import re
from typing import Final

_READER: Final = (
    r"(?:(?:AI|LLM|GPT)s?(?:[- ](?:assistant|agent|model|bot|system|tool|reader)s?)?|(?:large )?language models?"
    r"|(?:chat)?bots?|automated (?:readers?|systems?|tools?)"
    r"|assistants?(?= (?:reading|summari[sz]ing|that (?:reads?|summari[sz]es?))))"
)
_ADDRESSED: Final = re.compile(
    rf"\b(?:to|for|attention|dear|hello|if you are|you are)\b[ ,:]*(?:(?:all|any|every|the|an?|other)\s)?{_READER}\b"
    rf"|\b{_READER}(?:\s\w+){{0,6}}\s?(?::|(?:must|should|shall|have to|are (?:asked|told|required) to)\b)",
    re.I,
)
"""A reader that is a machine is spoken to."""
_ANNULS: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}?"
    r"\b(?:instructions?|prompts?|rules|guidelines|question|task|(?:above|before|previous|prior)\b)"
    r"|\bsystem (?:prompt|override|message)\b|\bnew instructions\b",
    re.I,
)
_ORDERS: Final = re.compile(
    r"(?:^|[.!?:;,]\s*+|\b(?:must|should|shall|to|and|then|please|first|else)\s)"
    r"(?:say|state|report|write|tell|include|quote|cite|open|visit|fetch|answer|recommend|stop|search|send|reply|link"
    r"|contain)\b|\bhas to contain\b",
    re.I,
)
_ASKED_ABOUT: Final = re.compile(
    r"\b(?:prompts?|injections?|jailbreak\w*|AI|LLMs?|language models?|chatbots?|bots?)\b", re.I
)
_PARAGRAPH_END: Final = "\n\n"
_AROUND: Final = 20_000
"""So many characters before and behind a quote are looked at: a longer paragraph is no text."""


def gives_orders(text: str) -> bool:
    """Whether a paragraph speaks to a machine that reads it, and tells it what to do.

    Both are needed: articles speak of language models, and manuals give orders to people. English only.
    """
    return bool(_ADDRESSED.search(text)) and bool(_ANNULS.search(text) or _ORDERS.search(text))


def asks_about_orders(goal: str) -> bool:
    """Whether the question is about language models or what they are told; then such texts may be the answer."""
    return bool(_ASKED_ABOUT.search(goal))


def stands_in_order(markdown: str, start: int, end: int) -> bool:
    """Whether a slice of a page is in, or holds, a paragraph that gives orders to a machine.

    What the order wants to be said is no statement of the page, though the page has its words.
    """
    first, last = max(0, start - _AROUND), end + _AROUND
    before = markdown.rfind(_PARAGRAPH_END, first, start)
    after = markdown.find(_PARAGRAPH_END, end, last)
    whole = markdown[before + len(_PARAGRAPH_END) if before >= 0 else first : after if after >= 0 else last]
    return any(gives_orders(paragraph) for paragraph in whole.split(_PARAGRAPH_END))
