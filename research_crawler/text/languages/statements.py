"""Find the sentences of a quote that say something by themselves, and tell whose words they are."""

import re
from functools import cache
from typing import Final

from research_crawler.text.languages.language import LANGUAGES, language_of
from research_crawler.text.languages.sentences import leans, quotable_pieces

LEAST_STATEMENT_WORDS, MOST_STATEMENT_WORDS = 5, 45
"""Fewest and most words of a sentence that states something by itself."""
_ENDS: Final = (".", "!", "。")
_QUOTED: Final = re.compile(r"“[^“”]*+”|\"[^\"]*\"|«[^«»]*+»|„[^„“]*+“|`[^`]*`")


def statements(quote: str) -> list[str]:
    """The whole sentences of a quote that need none before them, without Markdown marks, rows and code."""
    found = (piece.text for piece in quotable_pieces(quote) if piece.form != "row")
    return [text for text in found if _is_statement(text)]


def is_personal(text: str) -> bool:
    """Whether somebody tells of himself: "I bought one", but not "say `my_name`"."""
    return _of_speaker().search(_QUOTED.sub(" ", text)) is not None


def _is_statement(text: str) -> bool:
    is_whole = text.endswith(_ENDS) and not text.lstrip("\"'“‘«„([")[:1].islower()
    return is_whole and LEAST_STATEMENT_WORDS <= len(text.split()) <= MOST_STATEMENT_WORDS and not leans(text)


@cache
def _of_speaker() -> re.Pattern[str]:
    """The words of a speaker in all languages, before another word; English "I" has a capital."""
    words = {word for code in LANGUAGES for word in language_of(code).data.get("speaker", "").split()}
    some = sorted(re.escape(word).replace("'", "['’]") for word in words)
    capital = [word for word in some if word.startswith("I")]
    other = "|".join(word for word in some if not word.startswith("I"))
    alone = f"|(?-i:{'|'.join(capital)})" if capital else ""
    return re.compile(rf"(?<![\w'’./-])(?:{other}{alone})(?=\s[^\W\d_])", re.I)
