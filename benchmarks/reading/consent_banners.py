"""Removes consent banners from the further pages: their labels count the blocks without them.

The reader keeps them, for its models tell them from main text as well as these rules do.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree, html

from research_crawler.extraction.blockers.wall_words import ACCEPT, CONSENT, fold

_PLATFORMS = re.compile(
    r"^(?:onetrust|optanon|cybot|cookiebot|didomi|qc-cmp|usercentrics|uc-(?:banner|main|overlay)|truste|trustarc|consent_blackbar"
    r"|sp_message|klaro$|osano-cm|cmplz-(?:cookiebanner|manage|soft)|cookie-law-info|cli-(?:modal|bar)|cky-(?:consent|overlay|modal)"
    r"|moove_gdpr|moove-gdpr|borlabs-?cookie|iubenda-cs|termly-code|tarteaucitron|axeptio|cmpbox|cmpwrapper|rcb-banner"
    r"|cookiefirst|cc-(?:window|banner|revoke|dialog)$|cm-wrapper|ch2-|fc-consent|evidon|_evidon|cookiescript|eu-cookie-compliance"
    r"|sliding-popup$|shopify-pc__|transcend-|ketch-|snigel-cmp|appconsent|cookie-notice$|cookieconsent|gdpr-cookie|hu-cookies"
    r"|wt-cli-|cookieadmin|orejime|pubtech-cmp|ez-cookie|cookie-?hub|ot-sdk|lanyard_root|ccc(?:-module|-overlay)?$|qc_cmp"
    r"|privacy-?manager|consentmanager|civic-cookie|cookie-control|sd-cmp|tc-privacy|cookie_?reports|wpl-cookie|wpgdpr|catapult)"
)
"""The ids and classes of the elements of consent platforms."""
_NAMES = re.compile(
    r"cookie|consent|gdpr|dsgvo|rgpd|lgpd|ccpa|(?:^|[-_\s])cmp(?:$|[-_\s])|privacy-?(?:banner|notice|popup|bar|wall|modal|dialog)"
)
_OF_PLATFORM = 2
_REMEMBERED_CHARS = 200
_NEVER_REMOVED = {"html", "head", "body", "main", "article"}
_BANNER_CHARS = 4_000
"""Longer texts in an element with a general name are policies, not banners."""
_NAMELESS_CHARS = 1_200
_PAGE_SHARE = 0.5
_BUTTON_CHARS = 60
_CLOSE = re.compile(
    r"^(?:ok(?:ay)?!?|x|×|✕|close|dismiss|schließen|fermer|cerrar|chiudi|fechar|sluiten|zamknij|закрыть|閉じる|关闭)$"
)
_NAMING = etree.XPath("//@id | //@class", smart_strings=False)
_DIALOGS = etree.XPath("//dialog | //@role[. = 'dialog' or . = 'alertdialog']/.. | //@aria-modal/..")
_TEXTS = etree.XPath("descendant::text()[not(parent::script or parent::style)]", smart_strings=False)
_IN_MAIN_PART = etree.XPath("boolean(ancestor::main | ancestor::article | ancestor::*[@role = 'main'])")
_HOLDS_MAIN_PART = etree.XPath(
    "boolean(descendant::main | descendant::article | descendant::*[@role = 'main'])"
)


def remove_consent_banners(root: html.HtmlElement) -> int:
    """Remove consent banners and dialogs from a tree, and return how many there were.

    Three things count as a banner: an element of a consent platform; a dialog, or an element named after
    cookies or consent, that mentions them and has buttons; and a short text about cookies around an accept
    button. An element that holds the main part of the page, or half of its text, always stays.
    """
    platforms, named = _candidates(root)
    dialogs = _DIALOGS(root)
    accepting = list(filter(_accepts, _buttons(root)))
    if not (platforms or named or dialogs or accepting):
        return 0
    removed = 0
    limit = _PAGE_SHARE * _least_chars(root)
    for element in platforms:
        removed += not _HOLDS_MAIN_PART(element) and _drop(element, root)
    for element in (*named, *dialogs):
        removed += _is_banner(element, limit) and _drop(element, root)
    for button in accepting:
        banner = _surroundings(button, limit)
        removed += banner is not None and _drop(banner, root)
    return removed


def _candidates(root: html.HtmlElement) -> tuple[list[html.HtmlElement], list[html.HtmlElement]]:
    """The elements of consent platforms, and the elements whose name mentions consent."""
    platforms: list[html.HtmlElement] = []
    named: list[html.HtmlElement] = []
    kinds = {name: kind for name in set(_NAMING(root)) if (kind := _kind_of(name))}
    for element in root.iter(etree.Element) if kinds else ():
        kind = kinds.get(element.get("id"), kinds.get(element.get("class"), 0))
        if kind and element.tag not in _NEVER_REMOVED:
            (platforms if kind == _OF_PLATFORM else named).append(element)
    return platforms, named


def _kind_of(name: str) -> int:
    """What an id or a class names: 0 nothing of consent, 1 consent, _OF_PLATFORM an element of a platform."""
    return _named_after(name) if len(name) <= _REMEMBERED_CHARS else _named_after.__wrapped__(name)


@lru_cache(maxsize=10_000)
def _named_after(name: str) -> int:
    lower = name.lower()
    if any(map(_PLATFORMS.match, lower.split())):
        return _OF_PLATFORM
    return int(_NAMES.search(lower) is not None)


def _is_banner(element: html.HtmlElement, limit: float) -> bool:
    if element.tag in _NEVER_REMOVED or _IN_MAIN_PART(element) or _HOLDS_MAIN_PART(element):
        return False
    text = _text(element)
    if (
        not 0 < len(text) <= min(_BANNER_CHARS, limit)
        or len({found[0] for found in CONSENT.finditer(text)}) < 2
    ):
        return False
    return any(_accepts(button) or _CLOSE.match(_label(button)) for button in _buttons(element))


def _surroundings(button: html.HtmlElement, limit: float) -> html.HtmlElement | None:
    """The largest element around an accept button that has only a short text about cookies."""
    found = None
    for ancestor in button.iterancestors():
        text = _text(ancestor)
        if ancestor.tag in _NEVER_REMOVED or len(text) > min(_NAMELESS_CHARS, limit):
            break
        if "cookie" in text and len({match[0] for match in CONSENT.finditer(text)}) >= 2:
            found = ancestor
    return None if found is None or _IN_MAIN_PART(found) else found


def _buttons(element: html.HtmlElement) -> Iterator[html.HtmlElement]:
    """The buttons of an element, and the links that lead nowhere and so are buttons too."""
    for found in element.iter("button", "input", "a"):
        if found.tag == "input":
            is_button = found.get("type") in ("button", "submit")
        elif found.tag == "a":
            href = found.get("href")
            is_button = href is None or href.startswith(("#", "javascript")) or found.get("role") == "button"
        else:
            is_button = True
        if is_button:
            yield found


def _accepts(button: html.HtmlElement) -> bool:
    label = _label(button)
    return 0 < len(label) <= _BUTTON_CHARS and ACCEPT.search(label) is not None


def _label(button: html.HtmlElement) -> str:
    return fold(button.get("value") or "" if button.tag == "input" else " ".join(button.itertext()))


def _text(element: html.HtmlElement) -> str:
    return fold(" ".join(_TEXTS(element)))


def _least_chars(root: html.HtmlElement) -> int:
    """How many characters of text a page has, counted up to where half of it is longer than any banner."""
    chars = 0
    for element in root.iter(etree.Element):
        own = element.text if element.tag not in ("script", "style") else None
        chars += sum(
            len(" ".join(text.split())) + 1 for text in (own, element.tail) if text and not text.isspace()
        )
        if _PAGE_SHARE * chars > _BANNER_CHARS:
            break
    return chars


def _drop(element: html.HtmlElement, root: html.HtmlElement) -> bool:
    """Remove an element, unless an element around it has already been removed."""
    if not any(ancestor is root for ancestor in element.iterancestors()):
        return False
    element.drop_tree()
    return True
