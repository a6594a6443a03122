"""Collects the parts of a suspicious page that tell a wall from an ordinary page: texts, fields, scripts."""

import re
from dataclasses import dataclass, field

from lxml import html

from research_crawler.extraction.blockers.wall_words import fold

_NO_TEXT = {
    "script",
    "style",
    "template",
    "svg",
    "select",
    "textarea",
    "head",
    "object",
    "iframe",
    "noframes",
}
_BLOCKS = {
    "p", "div", "li", "td", "th", "section", "article", "main", "dd", "dt", "blockquote", "pre", "form", "fieldset",
    "footer", "header", "nav", "aside", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "body",
}  # fmt: skip
_PARAGRAPH_CHARS = 80
"""A block with at least this much text outside links counts as prose. Labels, notices and buttons are
shorter."""
_ASIDE = {"header", "nav", "aside", "dialog", "footer"}
_ASIDE_NAMES = re.compile(
    r"modal|popup|pop-up|dropdown|drop-down|overlay|dialog|offcanvas|off-canvas|drawer|flyout|lightbox|megamenu"
    r"|(?:^|[\s_-])(?:nav|navbar|header|topbar|top-bar|toolbar|sidebar|footer|hide|hidden|collapse|sr-only|fade)(?:$|[\s_-])"
)
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_ROOT_IDS = re.compile(
    r"^_{0,2}(?:root|app|next|nuxt|gatsby|svelte|main-?app|react-?\w*|ember\w*|app-?(?:root|container)|q-app)$"
)
_READ_INPUTS = {"text", "email", "tel", "url", "number", "password", "search", ""}
_TEXT_DATA = re.compile(
    r'"(?:articleBody|reviewBody|recipeInstructions|offers|itemListElement|acceptedAnswer)"\s*:'
)
_CAPTCHA = re.compile(r"captcha|turnstile")
_NAMING = ("name", "id", "class", "placeholder", "autocomplete", "aria-label", "title")


@dataclass(frozen=True, slots=True)
class Field:
    """An input that a visitor fills in."""

    kind: str
    naming: str
    """Its name, id, class, placeholder and so on, in lower case."""
    form: int
    """The number of the form that contains it; -1 if it is in none."""
    is_aside: bool
    """Whether it is hidden, or inside a header, a navigation or a dialog."""


@dataclass(slots=True)
class PageFeatures:
    """The parts of a page. Texts are case-folded."""

    title: str = ""
    headings: list[str] = field(default_factory=list)
    main_headings: list[str] = field(default_factory=list)
    """The visible headings of the first level."""
    text: str = ""
    """All visible text."""
    notice: str = ""
    """The text for visitors without scripts (noscript elements)."""
    link_chars: int = 0
    prose: list[str] = field(default_factory=list)
    """The text of each paragraph, without its links."""
    fields: list[Field] = field(default_factory=list)
    buttons: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    """The URLs, classes and titles of frames."""
    widgets: list[str] = field(default_factory=list)
    """The names of elements and the URLs of images that mention a captcha."""
    scripts: list[str] = field(default_factory=list)
    outside_scripts: int = 0
    script_roots: int = 0
    """The number of empty elements of the kind that scripts usually fill."""
    images: int = 0
    elements: int = 0
    has_refresh: bool = False
    has_text_data: bool = False
    """Whether JSON-LD contains the content itself: a product, a list, the body of an article."""

    @property
    def loose_chars(self) -> int:
        """The length of the text outside links."""
        return max(len(self.text) - self.link_chars, 0)

    @property
    def prose_chars(self) -> int:
        """The length of the text in paragraphs, outside links."""
        return sum(map(len, self.prose))

    @property
    def asks_message(self) -> bool:
        """Whether there is a text box for a message. Such a page asks for more than a login or a captcha."""
        return any(
            field.kind == "textarea" and not field.is_aside and _CAPTCHA.search(field.naming) is None
            for field in self.fields
        )

    @property
    def labels(self) -> list[str]:
        """The title and the main headings."""
        return [self.title, *self.main_headings]

    @property
    def code(self) -> str:
        """The text of all inline scripts."""
        return "\n".join(self.scripts)


def page_features(root: html.HtmlElement) -> PageFeatures:
    """Collect the parts of a page. The tree is not changed."""
    return _Walk().walk(root)


class _Walk:
    """One pass over the tree."""

    def __init__(self) -> None:
        self.found = PageFeatures()
        self.pieces: list[str] = []
        self.blocks: list[list[str]] = [[]]
        self.forms = 0
        self.form = -1

    def walk(self, root: html.HtmlElement) -> PageFeatures:
        """Walk over a document and return its parts."""
        found = self.found
        title = root.find(".//title")
        found.title = fold(title.text or "")[:300] if title is not None else ""
        found.elements = sum(1 for _ in root.iter())
        for meta in root.iter("meta"):
            found.has_refresh |= (meta.get("http-equiv") or "").lower() == "refresh" and "url" in (
                meta.get("content") or ""
            ).lower()
        for script in root.iter("script"):
            self._script(script)
        found.notice = fold(" ".join(" ".join(part.itertext()) for part in root.iter("noscript")))
        for part in root.iterchildren("body", "frameset"):
            self._element(part, linked=False, aside=False)
        found.text = fold(" ".join(self.pieces))
        return found

    def _script(self, script: html.HtmlElement) -> None:
        text = script.text or ""
        if script.get("src"):
            self.found.outside_scripts += 1
        elif "json" in (script.get("type") or ""):
            self.found.has_text_data |= _TEXT_DATA.search(text) is not None
        elif text.strip():
            self.found.scripts.append(text)

    def _element(self, element: html.HtmlElement, *, linked: bool, aside: bool) -> None:
        tag = element.tag
        aside = aside or _is_aside(element)
        if tag == "input":
            self._input(element, aside)
        self._record(element, tag)
        if tag in _NO_TEXT or tag == "noscript" or _is_hidden(element):
            self._fields_within(element) if tag not in _NO_TEXT else None
            return
        outer_form = self.form
        if tag == "form":
            self.form, self.forms = self.forms, self.forms + 1
        is_block = tag in _BLOCKS
        if is_block:
            self.blocks.append([])
        linked = linked or tag == "a"
        self._text(element.text, linked)
        for child in element:
            if isinstance(child.tag, str):
                self._element(child, linked=linked, aside=aside)
            self._text(child.tail, linked)
        if is_block:
            block = fold(" ".join(self.blocks.pop()))
            if len(block) >= _PARAGRAPH_CHARS:
                self.found.prose.append(block)
        self.form = outer_form

    def _text(self, text: str | None, linked: bool) -> None:
        if text and not text.isspace():
            self.pieces.append(text)
            if linked:
                self.found.link_chars += len(" ".join(text.split())) + 1
            else:
                self.blocks[-1].append(text)

    def _input(self, element: html.HtmlElement, aside: bool) -> None:
        kind = (element.get("type") or "").strip().lower()
        if kind in ("submit", "button"):
            self.found.buttons.append(fold(element.get("value") or ""))
        elif kind in _READ_INPUTS:
            self.found.fields.append(Field(kind or "text", _naming(element), self.form, aside))

    def _fields_within(self, element: html.HtmlElement) -> None:
        for inner in element.iter("input"):
            if inner is not element:
                self._input(inner, aside=True)

    def _record(self, element: html.HtmlElement, tag: str) -> None:
        found = self.found
        if tag in ("h1", "h2", "h3", "legend", "caption"):
            found.headings.append(fold("".join(element.itertext()))[:200])
            if tag == "h1":
                found.main_headings.append(found.headings[-1])
        elif tag == "button":
            found.buttons.append(fold("".join(element.itertext()))[:100])
        elif tag == "textarea":
            found.fields.append(Field("textarea", _naming(element), self.form, is_aside=False))
        elif tag in ("iframe", "frame"):
            found.frames.append(f"{element.get('src') or ''} {_naming(element)}".lower())
        elif tag == "img":
            found.images += 1
            if "captcha" in (source := (element.get("src") or "").lower()) and not source.startswith("data:"):
                found.widgets.append(source[:200])
        elif tag in ("div", "main", "app-root") and not len(element) and not (element.text or "").strip():
            found.script_roots += (
                _ROOT_IDS.match((element.get("id") or tag).lower()) is not None or tag == "app-root"
            )
        if tag != "input" and _CAPTCHA.search(naming := _naming(element)):
            found.widgets.append(naming[:200])


def _naming(element: html.HtmlElement) -> str:
    return " ".join(filter(None, map(element.get, _NAMING))).lower()


def _is_hidden(element: html.HtmlElement) -> bool:
    """Whether an element is hidden. aria-hidden does not count: pages set it on everything under a dialog."""
    if element.tag == "body":
        return False
    if element.get("hidden") is not None:
        return True
    style = element.get("style")
    return style is not None and _HIDDEN_STYLE.search(style) is not None


def _is_aside(element: html.HtmlElement) -> bool:
    if element.tag in _ASIDE or element.get("aria-hidden") == "true" or _is_hidden(element):
        return True
    if element.tag in ("body", "form", "input"):
        return False
    return _ASIDE_NAMES.search(f"{element.get('class') or ''} {element.get('id') or ''}".lower()) is not None
