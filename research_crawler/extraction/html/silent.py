"""Says which elements inside a page's content are no text of it: scripts, controls, signs that link to a heading."""

from lxml import etree

_SILENT = {
    "script", "style", "template", "noscript", "svg", "iframe", "object", "embed", "canvas", "video", "audio",
    "select", "button", "input", "textarea", "datalist", "title", "meta", "link", "graphic", "map",
    "frameset",
}  # fmt: skip
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TEXT_LENGTH = etree.XPath("string-length(normalize-space())")


def is_silent(element: etree._Element, tag: str) -> bool:
    """Whether an element's content is no text of the page."""
    if tag in _SILENT:
        return tag != "button" or not _has_page_text(element)
    return tag == "a" and _marks_a_place(element)


def _marks_a_place(link: etree._Element) -> bool:
    """Whether a link is the sign behind a heading (¶, #, §) that gives the address of its section."""
    if not (link.get("href") or "").startswith("#"):
        return False
    return len(link) == 0 and not any(map(str.isalnum, link.text or ""))


def _has_page_text(button: etree._Element) -> bool:
    """Whether a button's label is text of the page, such as a question that opens its answer.

    A button that was never closed contains the rest of the page, so its content is text too.
    """
    parent = button.getparent()
    return (
        button.get("aria-expanded") is not None
        or (parent is not None and parent.tag in _HEADINGS and _is_alone(button))
        or next(button.iter("p", *_HEADINGS), None) is not None
    )


def _is_alone(button: etree._Element) -> bool:
    """Whether a heading has no text beside its button: otherwise the button only copies or opens something."""
    return bool(_TEXT_LENGTH(button) >= _TEXT_LENGTH(button.getparent()))
