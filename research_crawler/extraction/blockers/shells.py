"""Empty shells: pages whose text is made by scripts, so that they have to be shown in a browser to be read."""

from collections.abc import Mapping

from research_crawler.extraction.blockers.detection import detect_blocker
from research_crawler.extraction.blockers.model import SHELL

_ENOUGH_CHARS = 1_000
"""A page with this much sanitized text is read as it is, whatever its scripts would add."""


def needs_render(
    body: bytes, text: str, headers: Mapping[str, str], *, url: str = "", status: int = 200
) -> str | None:
    """Why the page is worth showing in a browser, or None. Never raises.

    The signs are those of the blocker detection: little text, with an element for scripts to fill, a notice that
    asks for scripts, or nothing but scripts. A page that is blocked is none of these: a browser would not help it
    honestly.

    Args:
        body: as downloaded, content-encoding undone.
        text: the sanitized text; empty where the page had none.
        headers: names in lower case.
        url: the final URL.
        status: of the response.
    """
    if len(text) >= _ENOUGH_CHARS or b"<script" not in body.lower():
        return None
    found = detect_blocker(body, url=url, status=status, headers=headers, text=text)
    return found.evidence if found and found.kind == SHELL else None
