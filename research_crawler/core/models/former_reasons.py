"""Reads the texts that releases up to wire version 2 stored for reasons. Their jobs and archives still have them."""

import re
from typing import Final, Literal

from research_crawler.core.models.reasons import TEXTS_AROUND, WALLS, Reason

_WALL: Final = re.compile(rf"({'|'.join(WALLS)})(?= by .| \(|$)")


def former_reason(text: str) -> tuple[Reason, str, str]:
    """The reason, its detail and the maker of a wall."""
    if text in TEXTS_AROUND:
        return Reason(text), "", ""
    if (wall := _WALL.match(text)) and (parts := _maker_and_detail(text[wall.end() :])):
        return Reason(wall[1]), parts[1], parts[0]
    for kind, (before, after) in TEXTS_AROUND.items():
        if text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after):
            return kind, text[len(before) : len(text) - len(after)], ""
    return Reason.OTHER, text, ""


def former_refusal(text: str) -> tuple[Literal["refused", "blocked", "failed"], str]:
    """How a command ends that meets a refused page, and the text of the reason."""
    if text.startswith("blocked: "):
        return "blocked", text.removeprefix("blocked: ")
    return ("failed", text.removeprefix("failed: ")) if text.startswith("failed: ") else ("refused", text)


def _maker_and_detail(text: str) -> tuple[str, str] | None:
    """The parts of " by maker (detail)", both optional; None for another text."""
    detail, start = "", len(" by ") + 1 if text.startswith(" by ") else 0
    at = text.find(" (", start)
    if at >= 0 and text.endswith(")") and len(text) > at + len(" ()"):
        text, detail = text[:at], text[at + len(" (") : -1]
    if text and not text.startswith(" by "):
        return None
    return text.removeprefix(" by "), detail
