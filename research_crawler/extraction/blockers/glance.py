"""A first look at the bytes of a page, faster than parsing it. Most pages need no second look."""

import html
import re
from dataclasses import dataclass

from w3lib.encoding import html_body_declared_encoding

ENOUGH_CHARS = 3_000
"""A page with at least this much text in its markup is not thin. The saved walls have at most 1,400."""
_RATHER_THIN_CHARS = 8_000
"""A page with less text, and fewer bytes than `_LARGE_BYTES`, may be a menu and a login form alone."""
_LARGE_BYTES = 300_000
"""A page of so many bytes is more than a menu and a login form."""
_TITLE = re.compile(rb"<title[^>]{0,200}>([^<]{0,500})")
_HEADING = re.compile(rb"<h1[\s>].{0,600}?</h1", re.S)
_TAGS = re.compile(rb"<[^>]*>?")
_TYPE = re.compile(rb"type\s*+=\s*+(?:[\"']\s*+)?$")
_WINDOW_BYTES = 16_384
"""So far behind a tag its end is looked for."""
_WITHOUT_TEXT = (b"script", b"style", b"svg", b"select", b"template", b"textarea", b"title", b"noframes")
_COMMENT_END = b"-->"
_NAME = re.compile(rb"[a-z]+")


@dataclass(frozen=True, slots=True)
class Glance:
    """What can be seen of a page without parsing it."""

    lower: bytes
    """The body in lower case (ASCII letters)."""
    text_chars: int
    """Bytes of text between tags, including links and noscript notices; counted up to a limit."""
    title: str
    heading: str
    has_password: bool

    @property
    def is_thin(self) -> bool:
        """Whether the page has little text."""
        return self.text_chars < ENOUGH_CHARS

    @property
    def is_rather_thin(self) -> bool:
        """Whether the page may consist of a menu and a login form only."""
        return self.text_chars < _RATHER_THIN_CHARS and len(self.lower) < _LARGE_BYTES


def glance_at(body: bytes, *, count_text: bool = True) -> Glance:
    """Look at a page. `count_text=False`: its text is known to be long, so it is not counted."""
    lower = body.lower()
    has_password = _has_password(lower)
    limit = _RATHER_THIN_CHARS if has_password else ENOUGH_CHARS
    return Glance(
        lower=lower,
        text_chars=_count_text(lower, limit) if count_text else limit,
        title=_line(body, _TITLE.search(lower)),
        heading=_line(body, _HEADING.search(lower)),
        has_password=has_password,
    )


def _line(body: bytes, found: re.Match[bytes] | None) -> str:
    if found is None:
        return ""
    raw = _TAGS.sub(b" ", body[found.start() : found.end()])
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode(html_body_declared_encoding(body[:4096]) or "cp1252", "replace")
    return " ".join(html.unescape(text).split())


def _has_password(lower: bytes) -> bool:
    at = lower.find(b"password")
    while at >= 0:
        if _TYPE.search(lower, max(at - 12, 0), at):
            return True
        at = lower.find(b"password", at + 8)
    return False


def _count_text(lower: bytes, limit: int) -> int:
    """Bytes of text in the markup, up to a limit. Counts window by window, and stops at the limit."""
    chars, at, awaited = 0, max(lower.find(b"</head"), 0), b""
    while at < len(lower):
        end = lower.find(b"<", at + _WINDOW_BYTES)
        end = len(lower) if end < 0 else end
        for piece in lower[at:end].split(b"<"):
            if awaited:
                if not (piece.startswith(awaited) or (awaited == _COMMENT_END and _COMMENT_END in piece)):
                    continue
                awaited = b""
            tag, _, text = piece.partition(b">")
            if tag.startswith(_WITHOUT_TEXT) and (name := _NAME.match(tag)):
                awaited = b"/" + name[0]
            elif tag.startswith(b"!--") and _COMMENT_END not in piece:
                awaited = _COMMENT_END
            elif text:
                chars += len(text.strip())
        if chars >= limit:
            return limit
        at = end
    return chars
