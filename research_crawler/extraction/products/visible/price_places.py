"""What the markup around a price says about it: its shape, the words before it."""

from lxml import html

_LABEL_CLIMB = 5
"""A label is so many elements around a price at most."""


def shape_of(element: html.HtmlElement) -> tuple[object, ...]:
    """The tags and classes of an element and its two nearest ancestors: equal for prices of a list."""
    shape: list[object] = []
    current: html.HtmlElement | None = element
    for _ in range(3):
        if current is None:
            break
        shape += [current.tag, current.get("class")]
        current = current.getparent()
    return tuple(shape)


def words_before(element: html.HtmlElement) -> str:
    """The text directly before a price on its line: "Was", "Save", "Delivery:"."""
    text = (element.text or "")[:40] if len(element) else ""
    current: html.HtmlElement | None = element
    for _ in range(2):
        if current is None:
            break
        before = current.getprevious()
        if before is not None:
            piece = (
                " ".join(f"{''.join(before.itertext())[-60:]} {before.tail or ''}".split())
                if isinstance(before.tag, str)
                else ""
            )
            text = f"{piece[-40:]} {text}"
            if piece:
                break
        parent = current.getparent()
        if parent is not None and (parent.text or "").strip():
            text = f"{parent.text.strip()[-40:]} {text}"
            break
        current = parent
    return text


def words_behind(element: html.HtmlElement) -> str:
    """The text directly behind a price on its line: "per month", "each"."""
    current: html.HtmlElement | None = element
    for _ in range(2):
        if current is None:
            break
        text, following = current.tail or "", current.getnext()
        if not text.strip() and following is not None and isinstance(following.tag, str):
            text = "".join(following.itertext())
        if text.strip():
            return text.lstrip()[:40]
        current = current.getparent()
    return ""


def is_optional(element: html.HtmlElement) -> bool:
    """Whether a price stands in the label of a box to tick: a helmet, a longer warranty."""
    current: html.HtmlElement | None = element
    for _ in range(_LABEL_CLIMB):
        if current is None:
            return False
        if current.tag == "label":
            boxes = current.iterfind(".//input[@type='checkbox']")
            return next(boxes, None) is not None or _names_box(current)
        current = current.getparent()
    return False


def _names_box(label: html.HtmlElement) -> bool:
    name = label.get("for")
    if not name:
        return False
    named = label.getroottree().xpath("//input[@id=$name]", name=name)
    return any(one.get("type") == "checkbox" for one in named)
