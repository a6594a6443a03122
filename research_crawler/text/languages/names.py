"""Names in a text, by their stems, to compare texts.

Beside it: `name_words` (to look them up in a source), `product_names`.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from research_crawler.text.languages.language import Language, language_of
from research_crawler.text.languages.words import Token, stem, tokens_of

_CACHE: Final = 32_768
"""Texts whose names are remembered."""


def names_in(text: str, language: str = "en") -> set[str]:
    """Stems of the names in a text: words with a capital within a sentence, and those with a digit in them.

    Where every noun has a capital, a name is what has a capital or digit within it, or stands in a row of capitals.
    """
    return {stem(word, language) for word in _names(text, language[:2].lower())}


@lru_cache(maxsize=_CACHE)
def _names(text: str, code: str) -> tuple[str, ...]:
    language = language_of(code)
    tokens = tokens_of(text, code)
    return tuple(token.text for place, token in enumerate(tokens) if _is_name(tokens, place, language))


def _is_name(tokens: Sequence[Token], place: int, language: Language) -> bool:
    token = tokens[place]
    if token.low in language.asking or token.low in language.titles:
        return False
    if token.is_mark or not language.has_capital_nouns:
        return token.is_mark or token.is_name
    inner = any(char.isupper() for char in token.text[1:])
    beside = [tokens[at] for at in (place - 1, place + 1) if 0 <= at < len(tokens)]
    return token.is_name and (inner or any(other.is_name or other.is_mark for other in beside))
