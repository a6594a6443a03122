"""Text of models and pages made safe to stand in our Markdown documents."""

import re
import unicodedata

_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_CITATION = re.compile(r"\[\s*(?:E?\d+)(?:\s*[,;–-]\s*E?\d+)*\s*\]|【[^】]*】")
_URL = re.compile(
    r"<?(?:(?:https?|ftp|file):/{1,2}|data:\w+/|(?:javascript|mailto):|\bwww\.)\S*?(?=[)\].,;:!?]*(?:[\s>]|$))>?",
    re.I,
)
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]")
_SPACE_BEFORE = re.compile(r"\s+([.,;:!?])")
_BLOCK_MARK = re.compile(r"^(?:[#>*+|=~`\s-]+|\d{1,3}[.)]\s+)+(?=\S)")


def one_line(text: str) -> str:
    """Text without control characters and line breaks."""
    clean = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in text)
    return " ".join(clean.split())


def prose(text: str) -> str:
    """A sentence without links, addresses and citation marks: those are rendered by code alone."""
    before, text = "", one_line(text)
    while text != before:  # what is taken out may join its neighbours to the next one
        before, text = text, _without_marks(text)
    return text


def _without_marks(text: str) -> str:
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _EMPTY.sub("", _URL.sub("", _CITATION.sub("", text)))
    return _SPACE_BEFORE.sub(r"\1", " ".join(text.split())).strip()


def inert(text: str) -> str:
    """One line that renders as itself: no HTML, no link, no heading or list, whatever it says."""
    text = _BLOCK_MARK.sub("", prose(text)).strip()
    return text.replace("\\", "\\\\").replace("<", "\\<").replace("](", "]\\(").replace("][", "]\\[")


def heading(text: str) -> str:
    """A caller's own words as a heading: addresses stay, HTML does not."""
    return one_line(text).replace("<", "\\<")


def block(text: str) -> str:
    """A caller's own text, lines kept, that cannot open or close a section of ours."""
    lines = (
        re.sub(r"^(\s{0,3})(#{1,6}|=+\s*$|-+\s*$)", r"\1\\\2", line.rstrip()) for line in text.splitlines()
    )
    return "\n".join(lines).strip()
