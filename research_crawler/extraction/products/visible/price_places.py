"""What the markup around a price says about it: its shape, the words before it."""

from lxml import html

_LABEL_CLIMB = 5
"""A label is so many elements around a price at most."""


_IN_LINE = ("a", "b", "i", "em", "strong", "span", "small", "td", "dt", "dd", "div")
"""Elements that may stand beside each other on a line."""
_LEAST_NAME, _MOST_NAME = 2, 6
"""Words of a name on the line of a price; one alone is a label: "Price"."""


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


def row_label(element: html.HtmlElement) -> str:
    """What an element before a price names, if both are all of their line: "Padded sleeve", "$29"."""
    before = element.getprevious()
    if before is None or not _is_inline(before) or not _is_inline(element) or (before.tail or "").strip():
        return ""
    above, below = before.getprevious(), element.getnext()
    leads = (above.tail if above is not None else element.getparent().text) or ""
    if leads.strip() or (element.tail or "").strip() or _is_inline(above) or _is_inline(below):
        return ""
    label = " ".join("".join(before.itertext()).split())
    words = label.split()
    is_name = _LEAST_NAME <= len(words) <= _MOST_NAME and not any(char.isdigit() for char in label)
    return label if is_name and label[-1] not in ":：" else ""


def _is_inline(element: html.HtmlElement | None) -> bool:
    return element is not None and element.tag in _IN_LINE


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
