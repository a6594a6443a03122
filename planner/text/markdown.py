"""Make text from models, pages and callers safe to put into the project's Markdown documents."""

import re
import unicodedata

_IMAGE = re.compile(r"!\[([^\[\]]*+)\]\([^()]*+\)")
_LINK = re.compile(r"\[([^\[\]]*+)\]\((?:[^()\s]++|\([^()]*+\))*+(?:\s++\"[^\"]*+\")?\)")
_CITATION = re.compile(r"\[\s*+E?\d++(?:\s*+[,;–-]\s*+E?\d++)*+\s*+\]|【[^【】]*+】")
_URL = re.compile(
    r"<?(?:(?:https?|ftp|file):/{1,2}|data:\w++/|(?:javascript|mailto):|\bwww\.)(?:[)\].,;:!?]*+[^\s>)\].,;:!?]++)*+>?",
    re.I,
)
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]")
_SPACE_BEFORE = re.compile(r"(?<!\s)\s++([.,;:!?])")
_BLOCK_MARK = re.compile(r"^(?:[#>*+|=~`\s-]|\d{1,3}[.)]\s)+(?=\S)")


def one_line(text: str) -> str:
    """Text without control characters and line breaks."""
    clean = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in text)
    return " ".join(clean.split())


def prose(text: str) -> str:
    """A sentence without links, URLs and citation marks: only code writes those into a document."""
    before, text = "", one_line(text)
    while text != before:  # removing a mark can join the text around it into a new mark
        before, text = text, _without_marks(text)
    return text


def _without_marks(text: str) -> str:
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _EMPTY.sub("", _URL.sub("", _CITATION.sub("", text)))
    return _SPACE_BEFORE.sub(r"\1", " ".join(text.split())).strip()


def inert(text: str) -> str:
    """One line that renders as plain text, whatever it contains: no HTML, link, heading or list."""
    text = _BLOCK_MARK.sub("", prose(text)).strip()
    return text.replace("\\", "\\\\").replace("<", "\\<").replace("](", "]\\(").replace("][", "]\\[")


def heading(text: str) -> str:
    """A caller's text for use in a heading: URLs are kept, HTML is escaped."""
    return one_line(text).replace("<", "\\<")


def block(text: str) -> str:
    """A caller's text with its line breaks, escaped so that it cannot start a section of the document."""
    lines = (
        re.sub(r"^(\s{0,3})(#{1,6}|=+\s*$|-+\s*$)", r"\1\\\2", line.rstrip()) for line in text.splitlines()
    )
    return "\n".join(lines).strip()
