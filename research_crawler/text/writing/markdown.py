"""Escape text from models, pages and callers for the project's Markdown documents.

What is escaped is shown as it was written: CommonMark and GitHub's flavour of it make no link, image, heading, list,
table, emphasis or HTML of it, and no character is lost. Everything that is not the project's own text goes through
here on its way into a document.
"""

import re
from collections.abc import Iterator
from typing import Final

from research_crawler.core.text.plain_text import clean, clean_line
from research_crawler.core.web.urls import OWN_FILE

_ACTIVE: Final = re.compile(
    # The characters come first: `re` finds them many times faster than a choice that begins with what stands before.
    r"[`\[\]~*\\_<&:.@#](?:(?<=[`\[\]~])"
    r"|(?<=\*)(?!(?<=\s\*)\s)"  # between spaces it is a factor or a wildcard, and emphasises nothing
    r"|(?<=\\)(?=[!-/:-@\[-`{-~]|\Z)"
    r"|(?<=_)(?:(?<![^\W_]_)|(?![^\W_]))"  # within a word it emphasises nothing
    r"|(?<=<)(?=[A-Za-z/!?]|\Z)"
    r"|(?<=&)(?=#?\w*+(?:;|\Z))"
    r"|(?<=:)(?=//)|(?<=[wW]{3}\.)|(?<=[\w.+-]@)(?=\w)"  # addresses that GitHub's flavour makes links of
    r"|(?<=#)\Z)"  # would end a heading
)
_BLOCK_START: Final = re.compile(r"[#>|=:]|[-+](?=[\s+|=:-]|\Z)|(?<=\d)[.)](?=\s|\Z)")
_OPTION: Final = re.compile(r"--?[A-Za-z]")
"""`--force` begins no list, no rule and no row of dashes."""
_CODE: Final = re.compile(r"(?<![`\\])`(?! )[^`\\]{1,200}(?<! )`(?!`)")
"""Code within a line. A backslash in it would be shown as two where documents are made of lines that were escaped."""
_ADDRESS: Final = re.compile(r"(?<![\w`\\])https?://\w[\w./:?=&%~+,;@#$!-]*+")
_AFTER_ADDRESS: Final = ".,;:!?"
_CODE_OR_ADDRESS: Final = re.compile(f"{_CODE.pattern}|{_ADDRESS.pattern}")
_NUMBER: Final = re.compile(r"\d{1,9}(?=[.)])")
_UNSAFE_IN_URL: Final = re.compile(r"[^!-~]|[<>\"`\\\[\]{}|*^]|(?<![^\W_])_|(?<!/)~|~(?![^\W_])", re.ASCII)
"""An underscore or tilde that can only end an emphasis stays: none is begun."""
_ENTITY_IN_URL: Final = re.compile(r"(&#?\w++);")


def escape_markdown(text: str) -> str:
    """One line that is shown as this text, wherever in a line of a document it stands."""
    line = clean_line(text)
    number = _NUMBER.match(line)
    at = number.end() if number else 0
    starts_block = _BLOCK_START.match(line, at) and not _OPTION.match(line, at)
    escaped = _ACTIVE.sub(r"\\\g<0>", line)
    # Digits before the mark are never escaped, so it stands at the same place.
    return f"{escaped[:at]}\\{escaped[at:]}" if starts_block and escaped[at] != "\\" else escaped


def escape_with_code(text: str) -> str:
    """One line that is shown as this text, where what stands between single backticks is shown as code.

    So is an address: as code it links to nothing, and can be copied where nobody renders the Markdown.
    """
    line, shown, end = clean_line(text), "", 0
    for start, stop, code in _codes(line):
        shown += _between(line[end:start], is_first=not end) + code
        end = stop
    return shown + _between(line[end:], is_first=not end)


def _codes(line: str) -> Iterator[tuple[int, int, str]]:
    """Where a line has code or an address, and how it is written."""
    for part in _CODE_OR_ADDRESS.finditer(line):
        written = part[0] if part[0].startswith("`") else part[0].rstrip(_AFTER_ADDRESS)
        end = part.start() + len(written)
        if written.startswith("`"):
            yield part.start(), end, written
        elif line[end : end + 1] != "`":  # its mark would join the one that follows
            yield part.start(), end, f"`{written}`"


def _between(text: str, *, is_first: bool) -> str:
    """A piece of a line as `escape_markdown` text, with the spaces around it."""
    before, after = (
        (" " * (text[at].isspace() and bool(text.strip())) for at in (0, -1)) if text else ("", "")
    )
    # Behind code nothing starts a block: a colon there would be shown with its backslash in plain text.
    escaped = escape_markdown(text) if is_first else _ACTIVE.sub(r"\\\g<0>", clean_line(text))
    return f"{'' if is_first else before or ' ' * text.isspace()}{escaped}{after}"


def escape_cell(text: str) -> str:
    """`escape_markdown` for a cell of a table."""
    return _in_cell(escape_markdown(text))


def escape_cell_with_code(text: str) -> str:
    """`escape_with_code` for a cell of a table."""
    return _in_cell(escape_with_code(text))


def _in_cell(escaped: str) -> str:
    start = "\\|" if escaped.startswith("\\|") else ""
    return start + escaped.removeprefix(start).replace("|", "\\|")


def escape_block(text: str) -> str:
    """A text with its line breaks and paragraphs; it starts no section, list or table of the document."""
    return "\n".join(escape_markdown(line) for line in clean(text).splitlines()).strip()


def address(url: str) -> str:
    """A URL as the project writes it into documents: what a renderer could take for a mark is percent-encoded.

    Only URLs of pages that code knows are written so; those in texts of others are `escape_markdown`.
    """
    if not url.startswith(("http://", "https://", OWN_FILE)):
        return escape_markdown(url)
    return _ENTITY_IN_URL.sub(r"\1%3B", _UNSAFE_IN_URL.sub(_percent_encoded, clean_line(url)))


def is_own_file(url: str) -> bool:
    """Whether an address is that of a file of the caller."""
    return url.startswith(OWN_FILE)


def _percent_encoded(character: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in character[0].encode())
