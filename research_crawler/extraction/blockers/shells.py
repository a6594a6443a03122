"""Recognises empty shells: pages whose text is built by scripts, so that only a browser can show it."""

from collections.abc import Mapping

from research_crawler.extraction.blockers.detection import detect_blocker
from research_crawler.extraction.blockers.model import SHELL

_ENOUGH_CHARS = 1_000
"""A page with at least this much sanitized text is read as it is, even if its scripts would add more."""


def needs_render(
    body: bytes, text: str, headers: Mapping[str, str], *, url: str = "", status: int = 200
) -> str | None:
    """Why the page should be rendered in a browser; None if it should not. Never raises.

    The signs are those of the blocker detection: little text, and an empty element for scripts to fill, a
    notice that asks for scripts, or nothing but scripts. A blocked page is not rendered: a browser would not
    get past the wall without deceiving the site.

    Args:
        body: the downloaded bytes, with the content encoding already removed.
        text: the sanitized text; empty if the page had none.
        headers: response headers, names in lower case.
        url: the final URL.
        status: status of the response.
    """
    if len(text) >= _ENOUGH_CHARS or b"<script" not in body.lower():
        return None
    found = detect_blocker(body, url=url, status=status, headers=headers, text=text)
    return found.evidence if found and found.kind == SHELL else None
