"""Why a page gave nothing, and what a line of a timeline is about: English words, which the catalogue has in German."""

from collections.abc import Mapping
from typing import Final

from research_crawler.core.models.reasons import Reason


def N_(text: str) -> str:  # noqa: N802  # the name by which translators' tools find a text that is translated later
    """Mark a text for the catalogue."""
    return text


WORDS_OF_REASONS: Final[Mapping[str, str]] = {
    Reason.ROBOTS: N_("refused by robots.txt"),
    Reason.ROBOTS_UNREACHABLE: N_("its robots.txt cannot be read"),
    Reason.TOO_SLOW: N_("its robots.txt asks for too long a delay"),
    Reason.GUARD: N_("no address of the public web"),
    Reason.HOST_LIST: N_("excluded by your lists of sites"),
    Reason.BUSY: N_("its host is busy for too long"),
    Reason.HOST_BUSY: N_("its host is busy for too long"),
    Reason.HTTP: N_("the host answered with an error"),
    Reason.TIMEOUT: N_("no answer in time"),
    Reason.DNS: N_("no such host"),
    Reason.TLS: N_("no secure connection"),
    Reason.CONNECTION: N_("the connection broke"),
    Reason.CONNECTION_REFUSED: N_("the host takes no connection"),
    Reason.PROXY: N_("the proxy refuses"),
    Reason.TOO_LARGE: N_("too large"),
    Reason.BOMB: N_("too large"),
    Reason.EMPTY: N_("empty"),
    Reason.BINARY: N_("no text"),
    Reason.NO_TEXT: N_("no text"),
    Reason.PDF_BROKEN: N_("a damaged PDF"),
    Reason.PDF_LOCKED: N_("a PDF with a password"),
    Reason.NEEDS_RENDER: N_("needs a browser"),
    Reason.NO_BROWSER: N_("needs a browser"),
    Reason.CAPTCHA: N_("asks for a CAPTCHA"),
    Reason.CHALLENGE: N_("checks browsers"),
    Reason.LOGIN_PAGE: N_("asks to log in"),
    Reason.CONSENT_WALL: N_("asks for consent"),
    Reason.RATE_LIMIT: N_("too many requests"),
    Reason.GEO_BLOCK: N_("not in this country"),
    Reason.SOFT_404: N_("no such page"),
    Reason.EMPTY_SHELL: N_("needs a browser"),
    Reason.ACCESS_DENIED: N_("access denied"),
    Reason.CANCELLED: N_("cancelled"),
}
"""Reason → what a card of a page says; other reasons are shown by their own names."""
WORDS_OF_ACTIONS: Final[Mapping[str, str]] = {
    "intent": N_("goal"),
    "search": N_("search"),
    "visit": N_("page"),
    "section": N_("section"),
    "done": N_("done"),
    "forced": N_("without a model"),
    "stuck": N_("stuck"),
    "brain": N_("model"),
    "warning": N_("warning"),
    "judged": N_("judged"),
    "beside": N_("besides"),
    "wait": N_("wait"),
    "asks": N_("asks"),
}
"""Action of a timeline's line → what it is called; others by their own names."""
