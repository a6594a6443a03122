"""Reads which rules of a page's own style sheets hide text, and which show it again.

Only the ways that a style hides a text count (see `verdicts`); the layout of a page is not computed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lxml import html

MAX_CSS = 600_000
"""The most characters of style sheets that are read."""
_MAX_SELECTOR = 500
_TOKEN = re.compile(r"[{};]")
_NUMBER = re.compile(r"(-?(?:\d++(?:\.\d++)?|\.\d++))(px|em|rem|ex|ch|pt|vw|vh|vmin|vmax|%)?")
_ZERO_CLIP = re.compile(
    r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)"
    r"|inset\(\s*(?:50|100)%\s*\)|circle\(\s*0|polygon\(\s*0[\s,]+0[\s,]+0[\s,]+0[\s,]+0[\s,]+0"
)
_HIDING = {
    "display": ("none",),
    "visibility": ("hidden", "collapse"),
    "content-visibility": ("hidden",),
    "scale": ("0", "0%"),
}
_LEAST = {"opacity": 0.05, "font-size": 1.0, "zoom": 0.0}
"""By property, the highest value with which a text cannot be seen."""
_SCALED_AWAY = re.compile(r"scale[xy]?\(\s*0(?:\.0+)?\s*[,)]")
_AWAY = re.compile(r"translate[xy]?\(\s*(-[\d.]+\w*)")
_FILTERED_AWAY = re.compile(r"opacity\(\s*0(?:%|\.0+)?\s*\)")
_SAYS_SOMETHING = re.compile(
    r"display|visib|opacity|font-size|zoom|left|right|top|bottom|indent|clip|transform|scale|width|height"
    r"|color|background|fill",
    re.I,
)
_OFFSETS = ("left", "right", "top", "bottom", "margin-left", "margin-top", "text-indent")
_SIZES = ("width", "height", "max-width", "max-height")
_FAR = {"": 500, "px": 500, "pt": 500, "em": 40, "rem": 40, "ex": 80, "ch": 80, "%": 100, "vw": 100,
        "vh": 100, "vmin": 100, "vmax": 100}  # fmt: skip
"""From how far outside, by unit, nothing of a text is on the screen."""
_NO_INK = ("transparent", "#0000", "#00000000")
_CLEAR = re.compile(r"(?:rgba|hsla|rgb|hsl)\([^()]*[,/]\s*(?:0|0?\.0\d*|0%)\s*\)")
_SCREENS = re.compile(
    r"@(?:media\s*+(?:(?:only\s++)?(?:screen|all))?\s*+|supports\b[^{]*|layer\b[^{]*)", re.I
)

Verdicts = dict[str, tuple[bool, bool]]
"""By way of hiding: whether these declarations hide (or, if not, show) a text, and whether `!important`."""


@dataclass(frozen=True, slots=True)
class StyleRule:
    """One selector of a rule, with what its declarations say about hiding."""

    selector: str
    verdicts: Verdicts
    colours: tuple[str, str]
    """The colour of the text and of its ground; "" if the rule does not set it."""
    order: int


def sheet_rules(root: html.HtmlElement) -> Iterator[StyleRule]:
    """The rules of the page's style elements that hold on every screen, in order."""
    left = MAX_CSS
    order = 0
    for sheet in root.iter("style"):
        text = sheet.text or ""
        if not _holds(sheet) or left < len(text):
            continue
        left -= len(text)
        for selectors, declarations in _blocks(text):
            found, colours = read_declarations(declarations)
            if found or any(colours):
                for selector in _split_selectors(selectors):
                    order += 1
                    yield StyleRule(selector, found, colours, order)


@lru_cache(maxsize=4_096)
def read_declarations(text: str) -> tuple[Verdicts, tuple[str, str]]:
    """What declarations such as `display: none; color: #fff` say about hiding, and their colours."""
    values: dict[str, tuple[str, bool]] = {}
    if not _SAYS_SOMETHING.search(text):
        return {}, ("", "")
    for declaration in text.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            clean, bang, _ = value.strip().lower().partition("!")
            values[name.strip().lower()] = clean.strip(), bool(bang)
    ground = values.get("background-color", values.get("background", ("", False)))[0]
    ink = values.get("-webkit-text-fill-color", values.get("color", ("", False)))[0]
    clips_text = (
        "text" in values.get("background-clip", values.get("-webkit-background-clip", ("", False)))[0]
    )
    return verdicts(values), ("" if clips_text else plain_colour(ink), plain_colour(ground))


def verdicts(values: dict[str, tuple[str, bool]]) -> Verdicts:
    """Judge declared values: each way of hiding that they set, or undo."""
    found: Verdicts = {}
    for name, (value, important) in values.items():
        way, hides = _judge(name, value)
        if way:
            found[way] = (hides or found.get(way, (False, False))[0], important)
    cut = any("hidden" in values.get(name, ("", False))[0] or "clip" in values.get(name, ("", False))[0]
              for name in ("overflow", "overflow-x", "overflow-y"))  # fmt: skip
    sizes = [values[name] for name in _SIZES if name in values]
    if sizes:
        found["size"] = cut and any(_length(value, 1.0) for value, _ in sizes), any(one for _, one in sizes)
    return found


def _judge(name: str, value: str) -> tuple[str, bool]:
    """The way of hiding that a property belongs to, and whether this value of it hides."""
    if values := _HIDING.get(name):
        return name, value in values
    if name in _LEAST:
        return name, _length(value, _LEAST[name])
    if name in _OFFSETS:
        return "offset", _is_far(value)
    if name in ("clip", "clip-path"):
        return "clip", _ZERO_CLIP.search(value) is not None
    if name == "transform":
        away = _AWAY.search(value)
        return name, _SCALED_AWAY.search(value) is not None or bool(away and _is_far(away[1]))
    if name == "filter":
        return name, _FILTERED_AWAY.search(value) is not None
    return "", False


def _length(value: str, most: float) -> bool:
    """Whether a length, or a plain number, is at most so small."""
    number = _NUMBER.fullmatch(value)
    if number is None:
        return False
    if number[2] in ("%", "em", "rem", "vw", "vh", "vmin", "vmax", "ex", "ch"):
        return float(number[1]) == 0
    return float(number[1]) <= most


def _is_far(value: str) -> bool:
    number = _NUMBER.fullmatch(value)
    return number is not None and float(number[1]) <= -_FAR[number[2] or ""]


def plain_colour(value: str) -> str:
    """A colour in one spelling: "#rrggbb", "clear" for none, "" if it is not known."""
    first = value.strip()
    if first in _NO_INK or _CLEAR.fullmatch(first):
        return "clear"
    if named := {"white": "#ffffff", "black": "#000000"}.get(first):
        return named
    if re.fullmatch(r"#[0-9a-f]{3}", first):
        return "#" + "".join(digit * 2 for digit in first[1:])
    if re.fullmatch(r"#[0-9a-f]{6}", first):
        return first
    if parts := re.fullmatch(
        r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:\s*[,/]\s*1(?:\.0)?)?\s*\)", first
    ):
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in parts.groups())
    return ""


def _holds(sheet: html.HtmlElement) -> bool:
    """Whether a style element holds on a screen with scripts."""
    media = (sheet.get("media") or "all").strip().lower()
    if media not in ("all", "screen", "only screen", "") or (sheet.get("type") or "text/css") != "text/css":
        return False
    return not any(one.tag in ("noscript", "template", "svg") for one in sheet.iterancestors())


def _blocks(css: str) -> Iterator[tuple[str, str]]:
    """The selectors and declarations of each rule that always holds; those inside keyframes and the like do not."""
    css = _without_comments(css)
    open_blocks: list[str] = []
    parts: list[str] = []
    begin = 0
    for token in _TOKEN.finditer(css):
        text = css[begin : token.start()].strip()
        begin = token.end()
        if token[0] == "{":
            open_blocks.append(text)
            parts = []
        elif token[0] == ";":
            parts.append(text)
        elif open_blocks:
            parts.append(text)
            selectors, around = open_blocks.pop(), open_blocks
            if not selectors.startswith("@") and all(_SCREENS.fullmatch(one) for one in around):
                yield selectors, ";".join(parts)
            parts = []


def _without_comments(css: str) -> str:
    first, *others = css.split("/*")
    return first + "".join(other.partition("*/")[2] for other in others)


def _split_selectors(selectors: str) -> list[str]:
    """The selectors of a group; commas inside parentheses do not separate them."""
    parts = selectors.split(",")
    whole: list[str] = []
    for part in parts:
        if whole and whole[-1].count("(") > whole[-1].count(")"):
            whole[-1] += "," + part
        else:
            whole.append(part)
    shortened = (" ".join(one.split()) for one in whole if len(one) <= _MAX_SELECTOR)
    return [one for one in shortened if one]
