"""Tell whether a question asks what something costs."""

import re
from typing import Final

_ASKS_PRICE: Final = re.compile(
    r"\b(?:costs?|prices?|fares?|fees?|admission|cheap\w*|expensive|kost\w*|preise?|teuer|prix|co[uû]t\w*|precios?|cuesta\w*"
    r"|prezz[oi]|costa\w*|prijs|preços?|custa\w*|cen[ay]|kosztuj\w*)\b",
    re.I,
)


def asks_price(question: str) -> bool:
    """Whether a question asks what something costs."""
    return _ASKS_PRICE.search(question) is not None
