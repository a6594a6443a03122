"""Recognises walls without a vendor's mark: captchas, refusals, consent, missing pages, empty shells."""

import re

from research_crawler.extraction.blockers.model import Blocker, BlockerKind
from research_crawler.extraction.blockers.page_features import PageFeatures
from research_crawler.extraction.blockers.wall_vendors import widget_vendor
from research_crawler.extraction.blockers.wall_words import (
    ACCEPT,
    CHALLENGE,
    CONSENT,
    DENIED,
    GEO,
    NEEDS_SCRIPTS,
    NOT_FOUND,
    RATE,
    fills_segment,
)

_LITTLE_CHARS = 700
"""A page with less text than this that mentions a wall is one."""
_TITLED_CHARS, _TITLED_PROSE_CHARS = 2_400, 900
"""The limits of all text, and of prose, for a page whose title or main heading is that of a wall."""
_LABEL_CHARS = 120
"""A longer text is no label of a button."""
_CAPTCHA_CHARS, _UNMENTIONED_CAPTCHA_CHARS = 1_200, 400
"""The limits of text beside a captcha that the page mentions, and beside one that it does not mention: forms
of ordinary pages have captchas too."""
_CHALLENGE_PROSE_CHARS, _STILL_CHALLENGE_CHARS = 200, 150
"""The limits of prose on a challenge that works by a script or a form, and of text on one without either. The
saved challenges without a captcha have no prose, and those without a script at most 48 characters of text."""
_SOFT_404_PROSE_CHARS = 1_000
"""A soft 404 has less prose than this: it may have a menu and suggestions, but no article."""
_SHELL_CHARS, _BARE_CHARS = 250, 80
"""The limits of text for a page that shows signs of being filled by scripts, and for a page without such
signs."""
_NO_PAGE_ELEMENTS = 30
"""A page with more elements but neither text nor scripts was emptied when it was saved."""
_CONSENT_CHARS, _CONSENT_LINK_CHARS, _CONSENT_REST_CHARS = 8_000, 300, 500
"""With more text, text of links or other text than this, a page is no wall of consent."""
_CONSENT_TERMS, _CONSENT_PROSE_SHARE = 4, 0.7
"""Fewest words of consent on such a wall, and the least share of its prose that is about it."""
_SETS_COOKIE = re.compile(r"document\s*(?:\.\s*cookie|\[\s*['\"]cookie['\"]\s*\])\s*=")
_MOVES_ON = re.compile(r"location\s*(?:\.\s*(?:reload|replace|assign|href)|=|\[)|\.submit\s*\(")
_CONSENT_ADDRESS = re.compile(
    r"^https?://(?:consent|privacy-?gate|my-?privacy|cookie-?wall)[\w-]*\.|/(?:privacy-?gate|collectconsent|cookie-?wall)\b"
)
_PERSON = re.compile(r"mail|user|name|login|phone")
_NOTICES: tuple[tuple[BlockerKind, re.Pattern[str]], ...] = (
    ("geo_block", GEO),
    ("rate_limit", RATE),
    ("challenge", CHALLENGE),
    ("access_denied", DENIED),
)


def names_wall(label: str) -> bool:
    """Whether a title or main heading is that of a wall or of a missing page."""
    if not 0 < len(label) <= _LABEL_CHARS:
        return False
    return any(
        fills_segment(pattern, label) for pattern in (*(pattern for _, pattern in _NOTICES), NOT_FOUND)
    )


def find_captcha(page: PageFeatures) -> Blocker | None:
    """Recognise a page with a captcha and nothing else to fill in."""
    names = [*page.widgets, *(frame for frame in page.frames if "captcha" in frame or "turnstile" in frame)]
    names += [field.naming for field in page.fields if "captcha" in field.naming]
    if not names:
        return None
    mentioned = CHALLENGE.search(page.text) or "captcha" in page.text
    if len(page.text) >= (_CAPTCHA_CHARS if mentioned else _UNMENTIONED_CAPTCHA_CHARS):
        return None
    if _asks_other_things(page):
        return None
    return Blocker(
        kind="captcha",
        vendor=widget_vendor(" ".join(names)),
        confidence=0.9,
        evidence="a captcha and little else on the page",
    )


def _asks_other_things(page: PageFeatures) -> bool:
    """Whether the captcha only protects a form, such as one for a message, an address or an account."""
    others = [
        field
        for field in page.fields
        if "captcha" not in field.naming and field.kind != "search" and not field.is_aside
    ]
    return len(others) > 1 or any(
        field.kind in ("email", "password", "textarea", "tel") or _PERSON.search(field.naming)
        for field in others
    )


def find_notice(page: PageFeatures) -> Blocker | None:
    """Recognise a page whose title or heading is that of a wall, or whose short text mentions one."""
    if len(page.text) >= _TITLED_CHARS or page.prose_chars >= _TITLED_PROSE_CHARS:
        return None
    for kind, pattern in _NOTICES:
        if kind == "challenge" and (page.asks_message or _says_more(page)):
            continue
        match = next(filter(None, (fills_segment(pattern, label) for label in page.labels)), None)
        if match is None and len(page.text) < _LITTLE_CHARS:
            match = pattern.search(page.text) or (
                pattern.search(page.notice) if kind == "challenge" else None
            )
        if match:
            return Blocker(
                kind=kind, confidence=0.85, evidence=f"the page says {match[0][:80]!r} and little else"
            )
    return None


def _says_more(page: PageFeatures) -> bool:
    """Whether a page that mentions a challenge has more to say than a challenge has, so that it is about one."""
    if page.widgets or page.frames or (_SETS_COOKIE.search(page.code) and _MOVES_ON.search(page.code)):
        return False
    works = page.scripts or page.outside_scripts or page.fields or page.buttons or page.notice
    if works or page.has_refresh:
        return page.prose_chars >= _CHALLENGE_PROSE_CHARS
    return page.loose_chars >= _STILL_CHALLENGE_CHARS


def find_consent_wall(page: PageFeatures, url: str) -> Blocker | None:
    """Recognise a page that is only a request for consent."""
    terms = {found[0] for found in CONSENT.finditer(page.text)}
    buttons = any(ACCEPT.search(button) for button in page.buttons)
    if _CONSENT_ADDRESS.search(url.lower()) and len(terms) >= 2:
        return Blocker(kind="consent_wall", confidence=0.95, evidence="the address is that of a consent page")
    if not buttons or len(terms) < _CONSENT_TERMS or page.script_roots:
        return None
    if len(page.text) >= _CONSENT_CHARS:
        return None
    consent_chars = sum(len(text) for text in page.prose if len({m[0] for m in CONSENT.finditer(text)}) > 1)
    if consent_chars < _CONSENT_PROSE_SHARE * page.prose_chars:
        return None
    if page.loose_chars - consent_chars >= _CONSENT_REST_CHARS:
        return None
    if page.link_chars > max(_CONSENT_LINK_CHARS, consent_chars // 2):
        return None
    return Blocker(
        kind="consent_wall", confidence=0.8, evidence="a request for consent and little else on the page"
    )


def find_soft_404(page: PageFeatures) -> Blocker | None:
    """Recognise a page that says "not found" although its status does not."""
    if page.prose_chars >= _SOFT_404_PROSE_CHARS:
        return None
    for label in page.labels:
        if fills_segment(NOT_FOUND, label):
            return Blocker(kind="soft_404", confidence=0.85, evidence=f"the page is called {label[:80]!r}")
    return None


def find_shell(page: PageFeatures) -> Blocker | None:
    """Recognise a page without text that scripts, frames or a refresh would fill."""
    if len(page.text) >= _SHELL_CHARS or len(page.notice) >= 2 * _SHELL_CHARS or page.has_text_data:
        return None
    notice = NEEDS_SCRIPTS.search(page.notice) or NEEDS_SCRIPTS.search(page.text)
    if notice:
        return _shell(0.95, f"little text, and the notice {notice[0][:80]!r}")
    if page.script_roots and (page.outside_scripts or page.scripts):
        return _shell(0.9, "little text, and an empty element for scripts to fill")
    if len(page.text) >= _BARE_CHARS or any(page.main_headings):
        return None
    if page.has_refresh or page.frames:
        return _shell(0.6, "nothing to read but a frame or a forward to another page")
    if page.outside_scripts or page.scripts:
        return _shell(0.8, "nothing to read, and scripts")
    if page.text or page.images or page.fields or page.elements > _NO_PAGE_ELEMENTS:
        return None
    return _shell(0.9, "no text at all")


def _shell(confidence: float, evidence: str) -> Blocker:
    return Blocker(kind="empty_shell", confidence=confidence, evidence=evidence)
