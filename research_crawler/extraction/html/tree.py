"""Parses a page into a bounded element tree, and removes what a reader of the page does not see."""

import html as entities
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from lxml import etree, html

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.core.text.plain_text import clean
from research_crawler.extraction.html.streamed import is_streamed, place_streamed

_MAX_ELEMENTS = 60_000
"""A larger tree is cut after this many elements. The largest of 307 real pages has 21,000."""
_REFERENCE = re.compile(r"&#(?:[xX]0*+[0-9a-fA-F]{1,6}|0*+[0-9]{1,7});?+")
_LONG_TAG = re.compile(r"<[a-zA-Z][^>]{2000,}")
_TAG = re.compile(
    r"""<(?P<raw>script|style)\b[^>]{0,2000}>(?:[^<]++|<(?!/(?P=raw)))*+"""
    r"""|<(?P<name>[a-zA-Z][\w:-]{0,50})(?P<attributes>(?:=\s*+(?:"[^"]*"|'[^']*')|[^>])++)""",
    re.I,
)
_QUOTED = re.compile(r"""=\s*+(?:"[^"]*"|'[^']*')""")
"""A quotation mark anywhere else in a tag is a typing error and quotes nothing."""
_MAX_ATTRIBUTES = 300
"""A tag with more attributes loses them."""
_ONE_CLASS = etree.ElementDefaultClassLookup(element=html.HtmlElement, comment=html.HtmlComment)
"""All elements get the same class, which lxml finds without a call of Python for each element: forms and their fields
have no class of their own here."""
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
_MONEY = re.compile(
    r"[$€£¥₹₺₽₩₫]\s?\d|\d\s?(?:[$€£¥₹₺₽₩₫]|(?:kr|zł|Kč|CHF|Ft|lei|USD|EUR|GBP)\b)|\b(?:kr|CHF|USD|EUR|GBP|R)\.?\s?\d"
)
_MOST_PRICE_CHARS = 80
"""Longest text of an element that shows a price."""
_SCREEN_READER_WORDS = ("sr-only", "hidden", "reader", "offscreen")
"""One of them is in every match of _SCREEN_READER: most names are ruled out fast."""
FOLDED = "data-folded"
"""The attribute that marks content which is hidden until a reader opens it."""
_OPENERS = frozenset({"aria-controls", "href", "data-target", "data-bs-target", "data-toggle-target"})
_OPENING_TAGS = {"a", "button", "div", "li", "span", "h2", "h3", "h4", "h5"}
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
_ELEMENT_COUNT = etree.XPath("count(/descendant::*)")
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")
_CONTROL_NAME = re.compile(
    r"nav|menu|header|footer|side-?bar|search|button|drop-?down|toggle|icon|login|feedback|dialog|modal|cookie"
)
_HIDING = frozenset({"hidden", "style", "aria-hidden", "role"})
_HIDING_TAGS = frozenset({"template", "style", "noscript"})
NEVER_HIDDEN = frozenset({"html", "head", "body", "main"})
"""What pages hide until their scripts have run. It holds everything, so it hides nothing from readers."""
_PROSE_CHARS = 100
"""An element with so much prose is read although `aria-hidden` hides it."""
HIDDEN_PAGE_SHARE = 0.5
"""A hidden element with this share of a page's text is the page, and stays."""
HIDDEN_PAGE_CHARS = 500
"""A hidden element with less text is never taken for the page."""


def parse_html(text: str) -> html.HtmlElement:
    """Parse any text, however broken, into an lxml tree without comments and processing instructions.

    Raises:
        PageUnreadable: `no_text` if nothing can be parsed at all.
        MemoryError: the process got no more memory, so that the tree is not complete.
    """
    source = _REFERENCE.sub(lambda found: _harmless(found[0]), clean(text))
    streamed = is_streamed(source)
    parser = html.HTMLParser(
        encoding="utf-8", remove_comments=not streamed, remove_pis=True, collect_ids=False
    )
    parser.set_element_class_lookup(_ONE_CLASS)
    if _LONG_TAG.search(source):
        source = _with_bounded_tags(source)
    try:
        root = html.document_fromstring(source.encode(), parser=parser, ensure_head_body=True)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        _raise_lack_of_memory(parser)
        raise PageUnreadable(Reason.NO_TEXT) from error
    _raise_lack_of_memory(parser)
    _cut(root)
    if streamed:
        place_streamed(root)
    return root


def _raise_lack_of_memory(parser: html.HTMLParser) -> None:
    if any(entry.type == etree.ErrorTypes.ERR_NO_MEMORY for entry in parser.error_log):
        raise MemoryError


def drop_hidden(root: html.HtmlElement) -> None:
    """Remove what a reader of the page does not see: hidden elements, templates, noscript notices.

    What a reader can open stays and gets the attribute FOLDED: the panels of tabs and accordions, the answer
    under a question, the later slides of a carousel.

    A hidden element that holds most of the page's text stays, because pages hide everything under a dialog
    (mostly a consent notice) or until their scripts have run. A noscript element that holds the page's text
    stays too, because some forums put the whole thread into one for readers without scripts.

    What is hidden from listeners alone stays if it is prose: the later cards of a carousel, which a reader sees or
    can turn to.

    What is written for listeners stays where it stands for a price that is hidden from them ("Original price was:
    $30" beside a struck-through $30): one of the two is read.
    """
    page_chars = _length(root) - sum(len(script.text or "") for script in root.iter("script", "style"))
    doubtful, targets = _doubtful(root)
    spoken = {element for element in doubtful if _is_spoken(element)}
    for element in doubtful:
        tag = element.tag
        if element.getparent() is None:
            continue
        if tag == "template" and _is_shown_shadow(element):
            tag = element.tag = "div"
        if tag == "noscript" and _is_the_page(element, page_chars):
            element.tag = "div"
        elif element not in spoken and _is_hidden(element, tag) and not _is_the_page(element, page_chars):
            if _can_be_opened(element, targets):
                element.set(FOLDED, "")
            elif not _is_hidden_from_listeners_alone(element, tag):
                element.drop_tree()


def _doubtful(root: html.HtmlElement) -> tuple[list[html.HtmlElement], set[str]]:
    """In one walk: the elements that may be hidden, in order, and the ids of what some control of the page opens."""
    found: list[html.HtmlElement] = []
    targets: set[str] = set()
    for element in root.iter(etree.Element):
        tag, names = element.tag, element.keys()
        if tag in _OPENING_TAGS and not _OPENERS.isdisjoint(names):
            targets.update(_opened(element))
        if tag in NEVER_HIDDEN:
            continue
        if (
            tag in _HIDING_TAGS
            or not _HIDING.isdisjoint(names)
            or ("class" in names and _is_for_listeners(element.get("class", "")))
        ):
            found.append(element)
    return found, targets


def _opened(control: html.HtmlElement) -> Iterator[str]:
    """The ids of the elements that a control opens."""
    for name in _OPENERS:
        value = control.get(name)
        if value and (name != "href" or value[0] == "#"):
            yield from value.replace("#", " ").split()


def _is_shown_shadow(template: html.HtmlElement) -> bool:
    """Whether a browser shows a template as the content of the element around it, and that is no control."""
    host = template.getparent()
    return template.get("shadowrootmode") is not None and not _CONTROL_NAME.search(host.tag)


@lru_cache(maxsize=2_000)
def _harmless(reference: str) -> str:
    """A character reference, without those to characters that `clean` removes.

    As browsers do (HTML 13.2.5.80), `&#128;` to `&#159;` stand for characters of windows-1252.
    """
    character = entities.unescape(reference)
    number = reference.lstrip("&#").rstrip(";")
    code = int(number[1:], 16) if number[0] in "xX" else int(number)
    if 0x80 <= code <= 0x9F:
        return clean(character)
    return reference if character != "\ufffd" and clean(character) == character else ""


def _is_the_page(element: html.HtmlElement, page_chars: int) -> bool:
    if element.tag in ("template", "style"):
        return False
    length = _length(element)
    return length >= HIDDEN_PAGE_CHARS and (length > HIDDEN_PAGE_SHARE * page_chars or _holds_title(element))


def _holds_title(element: html.HtmlElement) -> bool:
    """Whether the element holds the page's only h1: then it is the page, hidden until scripts have run."""
    titles = list(islice(element.iter("h1"), 2))
    if len(titles) != 1 or element.get("role") in _OVERLAYS or element.tag in _AROUND:
        return False
    return sum(1 for _ in islice(element.getroottree().iter("h1"), 2)) == 1


def _can_be_opened(element: html.HtmlElement, targets: set[str]) -> bool:
    if element.tag not in _PANELS or element.get("role") in _OVERLAYS:
        return False
    if element.get("id") in targets or element.get("role") == "tabpanel" or element.get("aria-labelledby"):
        return not _is_overlay(element)
    if _PANEL_WORD.search(element.get("class") or "") or _follows_control(element):
        return not _is_overlay(element)
    return False


def _is_overlay(element: html.HtmlElement) -> bool:
    """Whether the element is, or is inside, something that opens over the page or surrounds its content."""
    for node in (element, *element.iterancestors()):
        class_names = node.get("class") or ""
        if node.tag in _AROUND or node.get("role") in _OVERLAYS or _OVERLAY_WORD.search(class_names):
            return node.tag not in NEVER_HIDDEN
    return False


def _follows_control(element: html.HtmlElement) -> bool:
    before = element.getprevious()
    return before is not None and (
        before.tag in _CONTROLS_TAGS
        or before.get("aria-expanded") is not None
        or next(before.iter(*_CONTROLS_TAGS), None) is not None
    )


def _with_bounded_tags(source: str) -> str:
    parts: list[str] = []
    begin = 0
    for tag in _TAG.finditer(source):
        if tag.end() - tag.start() > 2 * _MAX_ATTRIBUTES:
            parts += source[begin : tag.start()], _bound_attributes(tag)
            begin = tag.end()
    return "".join([*parts, source[begin:]]) if parts else source


def _bound_attributes(tag: re.Match[str]) -> str:
    """Drop a tag's attributes if there are hundreds: libxml2 compares each attribute with all others."""
    if tag["raw"] or len(_QUOTED.sub("", tag["attributes"]).split()) <= _MAX_ATTRIBUTES:
        return tag[0]
    return f"<{tag['name']}"


def _is_hidden_from_listeners_alone(element: html.HtmlElement, tag: str) -> bool:
    """Whether an element is prose that only `aria-hidden` hides, and none that opens over the page or is decoration."""
    if element.get("aria-hidden") != "true" or element.get("role") == "presentation":
        return False
    prose = _length(element) - sum(map(_length, element.iter("a", *_HIDING_TAGS, "script")))
    return prose >= _PROSE_CHARS and not _hides_itself(element, tag) and not _is_overlay(element)


def _is_hidden(element: html.HtmlElement, tag: str) -> bool:
    """Whether an element is hidden from those who read the page: its sight, or a script, does not show it."""
    return element.get("aria-hidden") == "true" or _hides_itself(element, tag)


def _hides_itself(element: html.HtmlElement, tag: str) -> bool:
    """Whether something other than `aria-hidden` hides an element."""
    if tag in _HIDING_TAGS or element.get("role") == "tooltip":
        return True
    if element.get("hidden") is not None and element.get("hidden") != "until-found":
        return True
    style = element.get("style")
    if style is not None and hides_by_style(style):
        return True
    name = element.get("class")
    return name is not None and _is_for_listeners(name)


def hides_by_style(style: str) -> bool:
    """Whether the declarations of a `style` attribute hide the text of their element."""
    return _HIDDEN_STYLE.search(style) is not None


def _is_for_listeners(names: str) -> bool:
    """Whether an element with such classes is there for screen readers only."""
    low = names.lower()
    return any(word in low for word in _SCREEN_READER_WORDS) and _SCREEN_READER.search(names) is not None


def _is_spoken(element: html.HtmlElement) -> bool:
    """Whether an element says to listeners which price the one directly beside it shows to the eye alone."""
    if element.get("aria-hidden") == "true" or not _is_for_listeners(element.get("class") or ""):
        return False
    beside = (element.getprevious(), element.getnext())
    return any(
        twin is not None
        and twin.get("aria-hidden") == "true"
        and _shows_price(twin)
        and _shows_price(element)
        for twin in beside
    )


def _shows_price(element: html.HtmlElement) -> bool:
    """Whether the text of an element is short and has an amount of money."""
    return _length(element) <= _MOST_PRICE_CHARS and _MONEY.search("".join(element.itertext())) is not None


def _length(element: html.HtmlElement) -> int:
    return int(_TEXT_LENGTH(element))


def _cut(root: html.HtmlElement) -> None:
    """Drop all elements after the first _MAX_ELEMENTS: not all later steps are linear in their number."""
    if _ELEMENT_COUNT(root) <= _MAX_ELEMENTS:
        return
    last = next(islice(root.iter(etree.Element), _MAX_ELEMENTS, None), None)
    while last is not None and last is not root:
        parent = last.getparent()
        for later in list(last.itersiblings()):
            parent.remove(later)
        last = parent
