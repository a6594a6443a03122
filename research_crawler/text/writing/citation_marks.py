"""Remove from a model's sentence what only code or a source may say: citation marks and addresses."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from research_crawler.core.text.plain_text import clean_line

_MARK: Final = re.compile(r"\[ ?E?\d{1,4}(?: ?[,;–-] ?E?\d{1,4})*+ ?\]|【[^【】]{0,40}】")
_URL: Final = re.compile(
    r"(?:\b(?:https?|ftp|file):/|\bdata:\w++/|\b(?:javascript|mailto):|\bwww\.)[^\s\[\]<>]++", re.I
)
_AFTER_URL: Final = ".,;:!?}`\"'”’»"
_HOLE: Final = "\x00"
"""Stands where something was removed; a clean text has none."""
_LINK: Final = re.compile(rf"!?\[(?P<text>[^\[\]]*+)\]\({_HOLE}\)|[(\[<]{_HOLE}[)\]>]")
_HOLES: Final = re.compile(rf" ?(?:{_HOLE} ?)++")


def has_mark(text: str) -> bool:
    """Whether a text has something that looks like one of our citation marks."""
    return _MARK.search(text) is not None


def strip_citations(text: str, sources: Sequence[str] = ()) -> str:
    """A sentence as one line, without the citation marks and URLs that none of its sources has.

    Code alone cites. A mark such as `[1]` or a URL stays where a source has it after the same word: there it
    belongs to what the source says (`argv[1]`).
    """
    known = [clean_line(source) for source in sources]
    urls = {_trimmed(url) for source in known for url in _URL.findall(source)}
    before, line = "", clean_line(text)
    while line != before:  # removing a mark can join the text around it into a new mark
        before, line = line, _without(line, known, urls)
    return line


def _without(line: str, known: Sequence[str], urls: Collection[str]) -> str:
    def without_url(match: re.Match[str]) -> str:
        url = _trimmed(match[0])
        return match[0] if url in urls else _HOLE + match[0][len(url) :]

    def without_mark(match: re.Match[str]) -> str:
        before = match.string[: match.start()]
        word = before.rstrip().rpartition(" ")[2] + before[len(before.rstrip()) :]
        in_context = word + match[0]
        return match[0] if any(in_context in source for source in known) else _HOLE

    line = _MARK.sub(without_mark, _URL.sub(without_url, line))
    if _HOLE not in line:
        return line
    line = _LINK.sub(lambda link: link["text"] or _HOLE, line)
    return _HOLES.sub(_gap, line).strip()


def _gap(holes: re.Match[str]) -> str:
    """What stands for removed marks: nothing before a mark of punctuation or at the end, else one space."""
    after = holes.string[holes.end() : holes.end() + 1]
    return "" if after in ".,;:!?)" else " "


def _trimmed(url: str) -> str:
    """The URL without the punctuation of the sentence around it."""
    while url and (url[-1] in _AFTER_URL or (url[-1] == ")" and url.count("(") < url.count(")"))):
        url = url[:-1]
    return url
