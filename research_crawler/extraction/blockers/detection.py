"""Detects whether a response is the requested page, a blocker sent instead of it, or a shell for a browser to fill."""

from collections.abc import Mapping

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.extraction.blockers.glance import ENOUGH_CHARS, Glance, glance_at
from research_crawler.extraction.blockers.login import find_login, is_login_address
from research_crawler.extraction.blockers.model import SHELL, Blocker, BlockerKind
from research_crawler.extraction.blockers.page_features import PageFeatures, page_features
from research_crawler.extraction.blockers.wall_vendors import find_mark, read_headers, serving_vendor
from research_crawler.extraction.blockers.wall_words import LOGIN, fold
from research_crawler.extraction.blockers.walls import (
    find_captcha,
    find_consent_wall,
    find_notice,
    find_shell,
    find_soft_404,
    names_wall,
)
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.tree import parse_html

_MARKED_CHARS = 1_500
"""A page with a vendor's strong mark and less text than this is a wall. Block pages with the site's menu have
as much."""
_WEAKLY_MARKED_CHARS = 150
"""A page with less text is a blocker also by a weak mark of one."""
_REFUSAL_SLACK = 3
"""A response with the status of a refusal may have so many times the text and be a blocker."""
_START_BYTES, _DATA_BYTES = 1_000, 20_000
"""So much of a response shows its format, and a blocker's mark in data."""
_ERRORS = 400
"""First HTTP status of an error."""
_STATUSES: dict[int, tuple[BlockerKind, float]] = {
    401: ("login_page", 0.9),
    402: ("access_denied", 0.8),
    403: ("access_denied", 0.9),
    405: ("access_denied", 0.6),
    406: ("access_denied", 0.7),
    407: ("access_denied", 0.8),
    420: ("rate_limit", 0.8),
    429: ("rate_limit", 0.99),
    451: ("geo_block", 0.95),
    503: ("rate_limit", 0.6),
    509: ("rate_limit", 0.9),
    529: ("rate_limit", 0.9),
    999: ("access_denied", 0.9),
}
"""What a status means if the page says nothing more specific. Other error statuses are faults, not walls."""
_READ_AS_IT_IS_CHARS = 1_000
"""A page with at least this much sanitized text is read as it is, even if its scripts would add more."""


def detect_blocker(
    body: bytes | str, *, url: str, status: int, headers: Mapping[str, str], text: str | None = None
) -> Blocker | None:
    """The blocker that was sent instead of the page; None for an ordinary page. Never raises.

    It takes well under 1 ms for most pages.

    Args:
        body: the downloaded bytes, with the content encoding already removed; or the text that a browser
            rendered.
        url: the final URL.
        status: status of the response; 0 if it is not known, which counts as 200.
        headers: response headers, names in lower case.
        text: the sanitized text, if it is available. If it is long, its length need not be counted again.
    """
    from_headers = read_headers(headers, status)
    if from_headers or status in (404, 410):
        return from_headers
    raw = body.encode("utf-8", "replace") if isinstance(body, str) else body
    found = _inspect(raw, url, status, headers, text)
    if found and status >= _ERRORS and found.kind in ("empty_shell", "soft_404"):
        found = None
    if found is None and status in _STATUSES:
        kind, confidence = _STATUSES[status]
        found = Blocker(kind=kind, confidence=confidence, evidence=f"status {status}")
    if found and not found.vendor and found.kind in ("challenge", "captcha"):
        return found.changed(vendor=serving_vendor(headers))
    return found


def _inspect(
    raw: bytes, url: str, status: int, headers: Mapping[str, str], text: str | None
) -> Blocker | None:
    is_refusal = status in _STATUSES
    if not _is_markup(raw, headers):
        return find_mark(raw[:_DATA_BYTES].lower(), weak=True) if is_refusal else None
    has_text = text is not None and len(text) >= ENOUGH_CHARS
    glance = glance_at(raw, count_text=not has_text)
    if not (is_refusal or _is_suspicious(glance, url)):
        return None
    page = _features(raw, headers)
    if page is None:
        return None
    return find_login(page, url) or _find_mark(page, glance, is_refusal=is_refusal) or _find_wall(page, url)


def _is_markup(raw: bytes, headers: Mapping[str, str]) -> bool:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and "html" not in kind:
        return False
    start = raw[:_START_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
    return not start or start.startswith(b"<") or (bool(kind) and not start.startswith((b"{", b"[", b"%PDF")))


def _is_suspicious(glance: Glance, url: str) -> bool:
    labels = (glance.title, glance.heading)
    if glance.is_thin or any(names_wall(label) for label in labels):
        return True
    if not glance.has_password:
        return False
    return (
        glance.is_rather_thin or is_login_address(url) or any(LOGIN.search(fold(label)) for label in labels)
    )


def _features(raw: bytes, headers: Mapping[str, str]) -> PageFeatures | None:
    """The features of a page, none of an empty one; None if the bytes are not text."""
    try:
        return page_features(parse_html(decode_page(raw, headers)[0]))
    except PageUnreadable as unreadable:
        return None if unreadable.reason.kind is Reason.BINARY else PageFeatures()


def _find_mark(page: PageFeatures, glance: Glance, *, is_refusal: bool) -> Blocker | None:
    """Find a vendor's mark. A refusal may show the site's menu, so it may have more text."""
    slack = _REFUSAL_SLACK if is_refusal else 1
    if len(page.text) >= _MARKED_CHARS * slack:
        return None
    return find_mark(glance.lower, weak=len(page.text) < _WEAKLY_MARKED_CHARS * slack)


def _find_wall(page: PageFeatures, url: str) -> Blocker | None:
    return (
        find_captcha(page)
        or find_notice(page)
        or find_consent_wall(page, url)
        or find_soft_404(page)
        or find_shell(page)
    )


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
    if len(text) >= _READ_AS_IT_IS_CHARS or b"<script" not in body.lower():
        return None
    found = detect_blocker(body, url=url, status=status, headers=headers, text=text)
    return found.evidence if found and found.kind == SHELL else None
