"""Adds the sentence that says whether a product is to be had, which the models take for a part of the buy button."""

import re
from collections.abc import Sequence

from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.main_text.blocks.block_features import ClassifiedPage

_REACH, _MOST_WORDS = 60, 8
"""How many blocks below the product's name the statement stands at most, and how many words it has."""
_ABSENT = re.compile(
    r"unavailable|out of stock|not available|sold out|discontinued|no longer|nicht|ausverkauft|indisponible|rupture"
    r"|épuisé|agotado|no disponible|sin existencias|non disponibile|esaurito|uitverkocht|niet|esgotado|indispon"
    r"|niedostępny",
    re.I,
)
_STATEMENT = re.compile(
    r"(?:this (?:item|product) is )?(?:currently |temporarily )?(?:unavailable|out of stock|not available)\b.*"
    r"|(?:sold out|in stock|back-?ordered|discontinued|no longer available|available (?:now|for pre-?order))\b.*"
    r"|only \d+ (?:left|available|remaining)\b.*"
    r"|(?:derzeit |momentan )?(?:nicht verfügbar|nicht lieferbar|ausverkauft|auf lager|sofort lieferbar)\b.*"
    r"|(?:actuellement )?(?:indisponible|en rupture de stock|épuisé|en stock)\b.*"
    r"|(?:agotado|no disponible|sin existencias|en existencias|disponibile|non disponibile|esaurito)\b.*"
    r"|(?:uitverkocht|niet op voorraad|op voorraad|esgotado|indisponível|em estoque|niedostępny|dostępny)\b.*",
    re.I,
)


def with_stock_statement(view: ClassifiedPage, chosen: Sequence[int]) -> list[int]:
    """The chosen blocks of a product's page, and the first statement below its name that it is in stock or not."""
    blocks = view.blocks
    name = next(
        (index for index, block in enumerate(blocks) if block.kind == "heading" and block.level == 1), None
    )
    if name is None:
        return list(chosen)
    stated = [
        index
        for index in range(name + 1, min(name + 1 + _REACH, len(blocks)))
        if _states_stock(blocks[index])
    ]
    first = next((index for index in stated if index in chosen), next(iter(stated), None))
    if first is None or (_ABSENT.search(blocks[first].text) and _declares_in_stock(view)):
        return list(chosen)
    return sorted({*chosen, first})


def _states_stock(block: Block) -> bool:
    text = block.text.strip()
    return (
        len(text.split()) <= _MOST_WORDS and not block.link_chars and _STATEMENT.fullmatch(text) is not None
    )


def _declares_in_stock(view: ClassifiedPage) -> bool:
    """Whether structured data says that it is in stock: shops send the words for both, and hide one of them."""
    root = view.layout.elements[0]
    marked = root.iter("link", "meta")
    return any("InStock" in (script.text or "") for script in root.iter("script")) or any(
        "InStock" in (mark.get("href") or mark.get("content") or "") for mark in marked
    )
