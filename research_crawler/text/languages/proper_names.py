"""Names of several words and identifiers, to search for."""

import re
from typing import Final

from research_crawler.text.languages.language import function_words

_PROPER: Final = re.compile(
    r"\b[A-ZÀ-Þ][\w'’-]{1,30}(?: [A-ZÀ-Þ][\w'’-]{1,30}){1,3}"  # a person, a company, a place
    r"|(?<![\w./$@+-])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"  # shared_buffers
    r"|(?<![\w./$@+-])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"  # LimitRequestBody
)


def proper_names(text: str) -> list[str]:
    """Names of several words and identifiers, without the function words that a sentence begins with."""
    found = []
    for match in _PROPER.finditer(text):
        words = match.group().split()
        while words and words[0].lower() in function_words():
            words = words[1:]
        if len(words) > 1 or (words and not words[0].isalpha()) or (words and not words[0].istitle()):
            found.append(" ".join(words))
    return found
