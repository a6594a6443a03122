"""Features of a block's own text: its length, its links, and the words of interfaces in it."""

import math
import re
import string
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.page_layout import Floats

_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[.!?。！？…][\"'”’»)]*(?:\s|$)")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[:h.]\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d"
    r"|\b(?:\d+|an?) (?:second|minute|min|hour|day|week|month|year)s? ago\b",
    re.I,
)
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹]|USD|EUR|GBP|CHF|kr\b|zł)")
_PHRASES: dict[str, str] = {
    "legal": "cookie|cookies|privacy|copyright|disclaimer|gdpr|trademark|rights reserved"
    "|terms of|datenschutz|impressum",
    "account": "signin|login|sign in|log in|sign up|register|my account|subscribe|newsletter|unsubscribe"
    "|your email|password|anmelden|connexion",
    "share": "share|facebook|twitter|linkedin|pinterest|whatsapp|instagram|follow us|copy link|print|teilen|partager",
    "more": "related|recommended|also like|similar|more from|read more|read next|see all|see more|view all|view more"
    "|show more|load more|trending|popular|recently viewed|learn more|read full|you might|weiterlesen",
    "shop": "to cart|to bag|to basket|buy now|checkout|in stock|of stock|free shipping|quantity|qty|sold out|quick view"
    "|quick shop|quick add|compare|choose options|select options|notify me|warenkorb|panier|carrito",
    "filter": "filter|filters|sort by|refine|clear all|apply|showing|results|per page",
    "skip": "skip to|jump to|to top|menu|toggle|close|open|search|loading|javascript",
    "forum": "reply|quote|report|joined|messages|posts|reactions|reputation|karma|moderator|upvote|views|replies"
    "|last edited|last post|thread starter|likes|like|member|members|answered|asked|antworten",
    "reviews": "verified purchase|verified buyer|helpful|out of|star|stars|reviews|rating|ratings|write a"
    "|bewertung|avis",
    "author": "written by|posted by|published|updated|min read|minute read|reviewed by|edited by|minutes read",
    "contact": "contact us|call us|in touch|request a|book a|book now|get started|a quote|free trial|schedule a",
    "pager": "next|previous|prev|page",
}
_BIT_OF: dict[str, int] = {}
for _place, _listed in enumerate(_PHRASES.values()):
    for _phrase in _listed.split("|"):
        _BIT_OF[_phrase] = _BIT_OF.get(_phrase, 0) | 1 << _place
_PHRASE_STARTS = frozenset(phrase.split()[0] for phrase in _BIT_OF if " " in phrase)
_PHRASE_NAMES = [*_PHRASES, "by", "ask", "home", "arrow", "rights"]
_PHRASE_WORDS = 24
"""So many first words of a block are compared with the phrases of interfaces."""
_ASCII_DIGITS, _ASCII_CAPITALS = string.digits.encode(), string.ascii_uppercase.encode()
_START_CHARS = 160
"""So much of a block is its beginning."""
_KINDS = ("paragraph", "heading", "item", "row", "code", "quote")
_KIND_FLAGS = {kind: [kind == other for other in _KINDS] for kind in _KINDS}
OWN = [
    "log_chars", "words", "link_share", "word_length", "digits", "upper", "commas", "sentences", "ends", "starts_upper",
    "date", "price", "level", "depth_in_list", "cells", "numbered", "title_share", "description_share",
    "declared_share",
    *_PHRASE_NAMES, *_KINDS,
]  # fmt: skip


def own_features(blocks: Sequence[Block], title: str, description: str, declared: str) -> Floats:
    """For each block a row with the columns of OWN."""
    title_words, description_words = set(_words(title)), set(_words(description))
    declared_pairs = set(pairwise(_words(declared)))
    rows = [_own(block, title_words, description_words, declared_pairs) for block in blocks]
    return np.array(rows, dtype=np.float32)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _own(block: Block, title: set[str], description: set[str], declared: set[tuple[str, str]]) -> list[float]:
    text = block.text or " ".join(block.cells)
    words = _WORD.findall(text)
    low = [word.lower() for word in words[:80]]
    chars, count, distinct = len(text), max(1, len(words)), set(low)
    start = text[:_START_CHARS]
    digits, upper = _digits_and_capitals(start)
    return [
        math.log1p(chars),
        min(count, 300),
        block.link_chars / chars,
        sum(map(len, words)) / count,
        digits / len(start),
        upper / len(start),
        text.count(",") / count,
        len(_SENTENCE.findall(text)),
        text[-1] in '.!?…:;"”)',
        text[:1].isupper(),
        (digits > 0 or "ago" in distinct) and _DATE.search(start) is not None,
        digits > 0 and _PRICE.search(start) is not None,
        block.level if block.kind == "heading" else 0,
        block.level if block.kind == "item" else 0,
        len(block.cells),
        block.number > 0,
        len(distinct & title) / len(title) if title else 0,
        len(distinct & description) / max(1, len(distinct)) if description else 0,
        _declared_share(low, declared) if declared else -1,
        *_phrases(text, low),
        *_KIND_FLAGS[block.kind],
    ]


def _digits_and_capitals(text: str) -> tuple[int, int]:
    """How many digits and capital letters a text has. ASCII is counted by taking them out, ten times as fast."""
    if not text.isascii():
        return sum(map(str.isdigit, text)), sum(map(str.isupper, text))
    raw = text.encode()
    return len(raw) - len(raw.translate(None, _ASCII_DIGITS)), len(raw) - len(
        raw.translate(None, _ASCII_CAPITALS)
    )


def _phrases(text: str, low: list[str]) -> list[bool]:
    bits = 0
    before = ""
    for word in low[:_PHRASE_WORDS]:
        if word in _BIT_OF:
            bits |= _BIT_OF[word]
        if before:
            bits |= _BIT_OF.get(f"{before} {word}", 0)
        before = word if word in _PHRASE_STARTS else ""
    first = low[0] if low else ""
    return [*_flags(bits), first == "by", text[-1] == "?", first == "home", text[0] in "«‹<›»>→", "©" in text]


@lru_cache(maxsize=1 << len(_PHRASES))
def _flags(bits: int) -> list[bool]:
    return [bits >> index & 1 == 1 for index in range(len(_PHRASES))]


def _declared_share(low: list[str], declared: set[tuple[str, str]]) -> float:
    pairs = list(pairwise(low))
    return sum(pair in declared for pair in pairs) / len(pairs) if pairs else 0
