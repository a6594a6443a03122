"""What the markup around a price says about it: its shape, the words before it."""

from lxml import html


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
