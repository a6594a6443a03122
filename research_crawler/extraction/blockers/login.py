"""Recognises login pages: pages whose only purpose is to log in."""

import re
from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlsplit

from research_crawler.extraction.blockers.model import Blocker
from research_crawler.extraction.blockers.page_features import Field, PageFeatures
from research_crawler.extraction.blockers.wall_words import LOGIN, LOGIN_PATH, PASSCODE

_NAMED_PROSE_CHARS, _NAMED_ASIDE_PROSE_CHARS = 2_000, 800
"""A page that calls itself a login page has less prose than this: the first figure if its form is visible,
the second if the form is in a menu or dialog, which help pages have too. The 32 saved login pages have at
most 1,342 and 317."""
_WEAKLY_NAMED_CHARS = 1_500
"""The limit of text outside links if only a smaller heading or a button mentions the login; dialogs have
those too."""
_BARE_CHARS, _BARE_LOOSE_CHARS = 1_500, 600
"""The limits of all text, and of text outside links, for a page that does not mention a login."""
_NOTICE_CHARS, _NOTICE_LOOSE_CHARS = 1_000, 400
"""The same limits for a page without a form that only says that a login is needed."""
_NAME_CHARS = 90
"""A longer label names no login."""
_MOST_FIELDS = 6
"""Forms with more fields ask for an address or a profile."""
_ACCOUNT = re.compile(
    r"user|mail|login|phone|account|identif|member|benutzer|usuario|utilisateur|логин|телефон"
)


def find_login(page: PageFeatures, url: str) -> Blocker | None:
    """Recognise a page that wants a login before it shows anything, by its title, its URL or its form."""
    title = _login_name(page.labels)
    addressed = is_login_address(url)
    form = _password_form(page.fields)
    passwords = [field for field in page.fields if field.kind == "password"]
    is_aside = all(field.is_aside for field in passwords)
    if passwords and page.prose_chars < (_NAMED_ASIDE_PROSE_CHARS if is_aside else _NAMED_PROSE_CHARS):
        if title:
            return _login(0.95, f"a password form on a page called {title!r}")
        if addressed and form:
            return _login(0.95, "a password form at a login address")
    return _unnamed_login(page, form) or _login_without_password(page, title, addressed=addressed)


def is_login_address(url: str) -> bool:
    """Whether the path of a URL is that of a login page."""
    return LOGIN_PATH.search(urlsplit(url).path.lower()) is not None


def _unnamed_login(page: PageFeatures, form: list[Field]) -> Blocker | None:
    if not form or page.asks_message or any(field.is_aside for field in form):
        return None
    label = _login_name([*page.headings, *page.buttons])
    if label and page.loose_chars < _WEAKLY_NAMED_CHARS and page.prose_chars < _BARE_LOOSE_CHARS:
        return _login(0.8, f"a password form under {label!r}, and little else")
    if page.loose_chars < _BARE_LOOSE_CHARS and len(page.text) < _BARE_CHARS:
        return _login(0.7, "a password form and little else")
    return None


def _login_without_password(page: PageFeatures, title: str, *, addressed: bool) -> Blocker | None:
    """A login page that asks for the account first, or builds its form by script."""
    shown = [field for field in page.fields if not field.is_aside and field.kind != "search"]
    asks_account = 0 < len(shown) <= 2 and any(_ACCOUNT.search(field.naming) for field in shown)
    if title and asks_account and page.loose_chars < _BARE_LOOSE_CHARS:
        return _login(0.8, f"a form for the name of an account on a page called {title!r}")
    if title and addressed and page.loose_chars < _NOTICE_LOOSE_CHARS:
        return _login(0.7, f"little but the title {title!r} at a login address")
    if page.loose_chars >= _NOTICE_LOOSE_CHARS or len(page.text) >= _NOTICE_CHARS:
        return None
    if len(shown) == 1 and PASSCODE.search(shown[0].naming):
        return _login(0.7, "asks for a one-time code and little else")
    return None


def _password_form(fields: Iterable[Field]) -> list[Field]:
    """The fields of a form with exactly one password, preferably a visible form; empty if there is none."""
    fields = [field for field in fields if field.kind != "search"]
    passwords = Counter(field.form for field in fields if field.kind == "password")
    sizes = Counter(field.form for field in fields)
    fitting = [form for form, count in passwords.items() if count == 1 and sizes[form] <= _MOST_FIELDS]
    forms = [[field for field in fields if field.form == form] for form in fitting]
    return min(forms, key=lambda form: any(field.is_aside for field in form), default=[])


def _login_name(labels: Iterable[str]) -> str:
    return next((label for label in labels if len(label) <= _NAME_CHARS and LOGIN.search(label)), "")


def _login(confidence: float, evidence: str) -> Blocker:
    return Blocker(kind="login_page", confidence=confidence, evidence=evidence)
