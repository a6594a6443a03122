"""Login pages: a form for name and password is what the page is there for."""

import re
from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlsplit

from research_crawler.extraction.blockers.anatomy import Anatomy, Field
from research_crawler.extraction.blockers.model import Blocker
from research_crawler.extraction.blockers.words import LOGIN, LOGIN_NEEDED, LOGIN_PATH, PASSCODE

_NAMED_PROSE_CHARS, _NAMED_ASIDE_PROSE_CHARS = 2_000, 800
"""Prose of a page that calls itself a login page, its form in sight, or within a menu or dialog as help pages have it.
The 32 login pages at hand have at most 1,342 and 317."""
_WEAKLY_NAMED_CHARS = 1_500
"""Text outside links where only a smaller heading or a button speaks of logging in: dialogs have those too."""
_BARE_CHARS, _BARE_LOOSE_CHARS = 1_500, 600
"""All text, and that outside links, of a page without a word about logging in."""
_TOLD_CHARS, _TOLD_LOOSE_CHARS = 1_000, 400
"""The same of a page that only says that one has to log in."""
_NAME_CHARS = 90
_MOST_FIELDS = 6
"""Forms with more ask for an address or a profile."""
_ACCOUNT = re.compile(
    r"user|mail|login|phone|account|identif|member|benutzer|usuario|utilisateur|логин|телефон"
)


def find_login(page: Anatomy, url: str) -> Blocker | None:
    """Whether a page asks to log in before it shows anything: by title or address, wherever its form is, or by form."""
    title = _login_name(page.labels)
    addressed = is_login_address(url)
    form = _password_form(page.fields)
    passwords = [one for one in page.fields if one.kind == "password"]
    is_aside = all(one.is_aside for one in passwords)
    if passwords and page.prose_chars < (_NAMED_ASIDE_PROSE_CHARS if is_aside else _NAMED_PROSE_CHARS):
        if title:
            return _login(0.95, f"a password form on a page called {title!r}")
        if addressed and form:
            return _login(0.95, "a password form at a login address")
    if page.has_rich_data:
        return None
    return _unnamed_login(page, form) or _login_without_password(page, title, addressed=addressed)


def is_login_address(url: str) -> bool:
    """Whether the path of an address is that of a login page."""
    return LOGIN_PATH.search(urlsplit(url).path.lower()) is not None


def _unnamed_login(page: Anatomy, form: list[Field]) -> Blocker | None:
    if not form or page.asks_message or any(one.is_aside for one in form):
        return None
    told = _login_name([*page.headings, *page.buttons])
    if told and page.loose_chars < _WEAKLY_NAMED_CHARS and page.prose_chars < _BARE_LOOSE_CHARS:
        return _login(0.8, f"a password form under {told!r}, and little else")
    if page.loose_chars < _BARE_LOOSE_CHARS and len(page.text) < _BARE_CHARS:
        return _login(0.7, "a password form and little else")
    return None


def _login_without_password(page: Anatomy, title: str, *, addressed: bool) -> Blocker | None:
    """The name is asked for first, or the form is drawn by a script, or there is a notice alone."""
    shown = [one for one in page.fields if not one.is_aside and one.kind != "search"]
    asks_account = 0 < len(shown) <= 2 and any(_ACCOUNT.search(one.naming) for one in shown)
    if title and asks_account and page.loose_chars < _BARE_LOOSE_CHARS:
        return _login(0.8, f"a form for the name of an account on a page called {title!r}")
    if title and addressed and page.loose_chars < _TOLD_LOOSE_CHARS:
        return _login(0.7, f"little but the title {title!r} at a login address")
    if page.loose_chars >= _TOLD_LOOSE_CHARS or len(page.text) >= _TOLD_CHARS:
        return None
    needed = LOGIN_NEEDED.search(page.text)
    if needed:
        return _login(0.8, f"the page says {needed[0]!r} and little else")
    if len(shown) == 1 and PASSCODE.search(shown[0].naming):
        return _login(0.7, "asks for a one-time code and little else")
    return None


def _password_form(fields: Iterable[Field]) -> list[Field]:
    """The fields of a form with one password, those in sight first; empty where there is none."""
    fields = [one for one in fields if one.kind != "search"]
    passwords = Counter(one.form for one in fields if one.kind == "password")
    sizes = Counter(one.form for one in fields)
    fitting = [form for form, count in passwords.items() if count == 1 and sizes[form] <= _MOST_FIELDS]
    found = [[one for one in fields if one.form == form] for form in fitting]
    return min(found, key=lambda form: any(one.is_aside for one in form), default=[])


def _login_name(labels: Iterable[str]) -> str:
    return next((label for label in labels if len(label) <= _NAME_CHARS and LOGIN.search(label)), "")


def _login(confidence: float, evidence: str) -> Blocker:
    return Blocker(kind="login_page", confidence=confidence, evidence=evidence)
