"""The element tree of a page: parsed within bounds, with what no reader sees taken out."""

import re
from itertools import islice

from lxml import etree, html

from research_crawler.core.errors import PageUnreadable

_MAX_ELEMENTS = 60_000
"""Above it the tree is cut behind this many elements. Of 307 real pages the largest has 21,000."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_LONG_TAG = re.compile(r"<[a-zA-Z][^>]{2000,}")
_TAG = re.compile(
    r"""<(?P<raw>script|style)\b[^>]{0,2000}>(?:[^<]++|<(?!/(?P=raw)))*+"""
    r"""|<(?P<name>[a-zA-Z][\w:-]{0,50})(?P<attributes>(?:=\s*+(?:"[^"]*"|'[^']*')|[^>])++)""",
    re.I,
)
_QUOTED = re.compile(r"""=\s*+(?:"[^"]*"|'[^']*')""")
"""A quotation mark elsewhere in a tag is a slip of the pen and quotes nothing."""
_MAX_ATTRIBUTES = 300
_HIDDEN_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![\d.]*[1-9])"
    r"|(?:left|right|top|text-indent|margin-left)\s*:\s*-\d{3,}(?:\.\d+)?(?:px|em|rem)"
    r"|clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]|inset\(\s*(?:50|100)%))",
    re.I,
)
_SCREEN_READER = re.compile(
    r"(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|u-?hidden-?visually|offscreen)(?:\s|$)",
    re.I,
)
FOLDED = "data-folded"
"""Marks what is hidden until a reader opens it."""
_OPENERS = ("aria-controls", "href", "data-target", "data-bs-target", "data-toggle-target")
_PANELS = {"div", "section", "ul", "ol", "dl", "dd", "p", "article", "table", "tr", "li", "details"}
_OVERLAYS = {"dialog", "alertdialog", "menu", "tooltip", "navigation", "banner", "listbox", "search"}
_AROUND = {"nav", "form", "dialog", "header", "footer"}
_PANEL_WORD = re.compile(
    r"accordion|collaps|faq|tab-?pan|tab-?content|toggle|answer|expand|slide|read-?more", re.I
)
_OVERLAY_WORD = re.compile(
    r"modal|dialog|popup|pop-up|lightbox|overlay|tooltip|popover|cookie|consent|drawer|menu|navbar|mega|search|login",
    re.I,
)
_CONTROLS_TAGS = {"button", "summary", "dt", "h2", "h3", "h4", "h5", "h6"}
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
_NEVER_HIDDEN = {"html", "head", "body", "main"}
_PAGE_SHARE = 0.5
_MIN_PAGE_CHARS = 500


def parse_html(text: str) -> html.HtmlElement:
    """An lxml tree of any text, however broken. Comments and processing instructions are left out.

    Raises:
        PageUnreadable: `no_text` where nothing can be parsed at all.
    """
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, collect_ids=False)
    clean = _CONTROLS.sub("", text)
    if _LONG_TAG.search(clean):
        clean = _TAG.sub(_bound_attributes, clean)
    try:
        root = html.document_fromstring(clean.encode(), parser=parser, ensure_head_body=True)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        raise PageUnreadable("no_text") from error
    _cut(root)
    return root


def drop_hidden(root: html.HtmlElement) -> None:
    """Take out what a reader of the page does not see: hidden elements, templates, noscript notices.

    What a reader can open stays, marked with FOLDED: the panels of tabs and accordions, answers under a
    question, the later slides of a carousel.

    A hidden element that holds most of the page's text stays: pages hide everything while a dialog (mostly a
    consent notice) lies over it, or until their scripts have run. A noscript element that holds the page's
    text stays too: forums give readers without scripts the whole thread in one.
    """
    whole = _length(root) - sum(len(script.text or "") for script in root.iter("script", "style"))
    targets = _targets(root)
    for element in list(root.iter(etree.Element)):
        if element.tag in _NEVER_HIDDEN or element.getparent() is None:
            continue
        if element.tag == "noscript" and _is_the_page(element, whole):
            element.tag = "div"
        elif (_is_hidden(element) or _may_be_shown(element)) and not _is_the_page(element, whole):
            if _can_be_opened(element, targets):
                element.set(FOLDED, "")
            else:
                element.drop_tree()


def _may_be_shown(element: html.HtmlElement) -> bool:
    return bool(element.tag == "noscript" or element.get("aria-hidden") == "true")


def _is_the_page(element: html.HtmlElement, whole: int) -> bool:
    if element.tag in ("template", "style"):
        return False
    length = _length(element)
    return length >= _MIN_PAGE_CHARS and (length > _PAGE_SHARE * whole or _holds_title(element))


def _holds_title(element: html.HtmlElement) -> bool:
    """Whether the page's only main heading is in it: hidden until scripts have run, and then all there is."""
    titles = list(islice(element.iter("h1"), 2))
    if len(titles) != 1 or element.get("role") in _OVERLAYS or element.tag in _AROUND:
        return False
    return sum(1 for _ in islice(element.getroottree().iter("h1"), 2)) == 1


def _targets(root: html.HtmlElement) -> set[str]:
    """The ids that a control of the page names as what it opens."""
    found: set[str] = set()
    for element in root.iter("a", "button", "div", "li", "span", "h2", "h3", "h4", "h5"):
        for name in _OPENERS:
            value = element.get(name)
            if value and (name != "href" or value[0] == "#"):
                found.update(value.replace("#", " ").split())
    return found


def _can_be_opened(element: html.HtmlElement, targets: set[str]) -> bool:
    if element.tag not in _PANELS or element.get("role") in _OVERLAYS:
        return False
    if element.get("id") in targets or element.get("role") == "tabpanel" or element.get("aria-labelledby"):
        return not _is_overlay(element)
    if _PANEL_WORD.search(element.get("class") or "") or _follows_control(element):
        return not _is_overlay(element)
    return False


def _is_overlay(element: html.HtmlElement) -> bool:
    """Whether it is, or lies in, something that opens over the page or around it."""
    for one in (element, *element.iterancestors()):
        if one.tag in _AROUND or one.get("role") in _OVERLAYS or _OVERLAY_WORD.search(one.get("class") or ""):
            return one.tag not in _NEVER_HIDDEN
    return False


def _follows_control(element: html.HtmlElement) -> bool:
    before = element.getprevious()
    return before is not None and (
        before.tag in _CONTROLS_TAGS
        or before.get("aria-expanded") is not None
        or next(before.iter(*_CONTROLS_TAGS), None) is not None
    )


def _bound_attributes(tag: re.Match[str]) -> str:
    """A tag without its attributes where they are hundreds: libxml2 compares each with all others."""
    if tag["raw"] or len(_QUOTED.sub("", tag["attributes"]).split()) <= _MAX_ATTRIBUTES:
        return tag[0]
    return f"<{tag['name']}"


def _is_hidden(element: html.HtmlElement) -> bool:
    if element.tag in ("template", "style"):
        return True
    if element.get("hidden") is not None and element.get("hidden") != "until-found":
        return True
    style = element.get("style")
    if style is not None and _HIDDEN_STYLE.search(style) is not None:
        return True
    name = element.get("class")
    return name is not None and _SCREEN_READER.search(name) is not None


def _length(element: html.HtmlElement) -> int:
    return int(_TEXT_LENGTH(element))


def _cut(root: html.HtmlElement) -> None:
    """Drop all elements behind the first _MAX_ELEMENTS: later steps are not all linear in their number."""
    last = next(islice(root.iter(etree.Element), _MAX_ELEMENTS, None), None)
    while last is not None and last is not root:
        parent = last.getparent()
        for later in list(last.itersiblings()):
            parent.remove(later)
        last = parent
