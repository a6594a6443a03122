"""Show an excerpt of a stored page in a report: its paragraphs, lists, tables and code, without its links and marks.

What the page wrote is shown as text; only the structure is Markdown again, written by code.
"""

import re
from collections.abc import Sequence
from typing import Final

from research_crawler.core.text.markdown_syntax import BAR, open_fence, row_cells
from research_crawler.core.text.plain_text import clean
from research_crawler.text.languages.sentences import ITEM, LINK, without_markdown
from research_crawler.text.writing.markdown import escape_markdown

_CODE: Final = re.compile(r"(?<!`)(`++)(?P<code>[^`\n]++)\1(?!`)")
_EMPHASIS: Final = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_ADDRESS: Final = re.compile(r"https?://\w[\w./:?=&%~+,;@#$!-]*+")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_WORD: Final = re.compile(r"\w++")
_RULE: Final = re.compile(r"[\s|:+=-]++")
_QUOTE_MARKS: Final = re.compile(r"\A[>\s]+(?![>\s\d=])")
"""Those of quoted text; "> 1000" is a comparison."""
_NUMBER: Final = re.compile(r"\s*+(\d{1,9})[.)]\s")


def excerpt_markdown(quote: str) -> str:
    """The excerpt as Markdown blocks that render to its text; code stays verbatim."""
    blocks: list[list[str]] = []
    forms: list[str] = []
    code: list[str] = []
    fence = ""
    rows: list[str] = []
    for line in clean(quote).splitlines():
        bare = line.strip()
        if rows and not bare.startswith("|"):
            _add_rows(blocks, forms, rows)
            rows = []
        was_open, fence = fence, open_fence(bare, fence)
        if was_open and fence:
            code.append(line)
        elif was_open:
            _add_code(blocks, forms, code)
            code = []
        elif fence:
            continue
        elif not bare:
            forms.append("")
        elif bare.startswith("|"):
            rows.append(bare)
        else:
            _add_line(blocks, forms, line)
    if rows:
        _add_rows(blocks, forms, rows)
    if code:
        _add_code(blocks, forms, code)
    return "\n\n".join("\n".join(lines) for lines in blocks)


def excerpt_text(quote: str) -> str:
    """The words of an excerpt on one line: without fences, links and marks; code stays as it is.

    Cells and rows of a table are divided by bars.
    """
    words, fence = [], ""
    for line in clean(quote).splitlines():
        bare = line.strip()
        was_open, fence = fence, open_fence(bare, fence)
        if was_open != fence:
            continue
        if fence:
            words.append(bare)
        elif not _RULE.fullmatch(line):
            words.append(f"{without_markdown(line)} |" if bare.startswith("|") else without_markdown(line))
    return " ".join(" ".join(words).split()).removesuffix(" |")


def is_told_by_quote(claim: str, quote: str) -> bool:
    """Whether a claim has the words of its quote and no others, so that one of them is enough to show."""
    return _WORD.findall(clean(claim)) == _WORD.findall(excerpt_text(quote))


def code_block(lines: Sequence[str]) -> list[str]:
    """The lines of a Markdown block that shows code as it is."""
    longest = max((len(run) for run in re.findall(r"`++", "\n".join(lines))), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, *lines, fence]


def _add_code(blocks: list[list[str]], forms: list[str], code: list[str]) -> None:
    blocks.append(code_block(code))
    forms.append("code")


def _add_rows(blocks: list[list[str]], forms: list[str], rows: Sequence[str]) -> None:
    """Rows with their heads as a table, others as lines of a list: a slice of a table may lack its heads."""
    if len(rows) > 2 and _RULE.fullmatch(rows[1]) and not _RULE.fullmatch(rows[0]):
        heads, *lines = (_cells(row) for row in rows if not _RULE.fullmatch(row))
        width = max(map(len, (heads, *lines)))
        table = [[*line, *[""] * (width - len(line))] for line in (heads, *lines)]
        table.insert(1, ["---"] * width)
        shown = ([BAR.sub(r"\\|", cell) for cell in line] for line in table)
        blocks.append([f"| {' | '.join(line)} |" for line in shown])
        forms.append("table")
        return
    for row in rows:
        told = " – ".join(part for part in _cells(row) if part)
        if told and not _RULE.fullmatch(row):
            _append(blocks, forms, "list", f"- {told}")


def _cells(row: str) -> list[str]:
    return [_text(part) for part in row_cells(row)]


def _add_line(blocks: list[list[str]], forms: list[str], line: str) -> None:
    item = ITEM.match(line)
    if item:
        number = _NUMBER.match(line)
        depth = min(3, (len(line) - len(line.lstrip())) // 2)
        mark = f"{number[1]}." if number else "-"
        _append(blocks, forms, "list", f"{'    ' * depth}{mark} {_text(line[item.end() :])}")
    elif forms and forms[-1] == "list" and line[:1].isspace():
        blocks[-1][-1] += f" {_text(line)}"
    else:
        _append(blocks, forms, "text", _text(_QUOTE_MARKS.sub("", line.strip())))


def _append(blocks: list[list[str]], forms: list[str], form: str, line: str) -> None:
    if forms and forms[-1] == form:
        blocks[-1].append(line)
    else:
        blocks.append([line])
    forms.append(form)


def _text(line: str) -> str:
    """A line of a page without links and emphasis, escaped; inline code stays code."""
    text = LINK.sub(lambda match: match["text"], line)
    shown, at = [], 0
    for match in _CODE.finditer(text):
        shown.append(_words(text[at : match.start()]))
        shown.append(f"`{match['code'].strip()}`")
        at = match.end()
    shown.append(_words(text[at:]))
    return "".join(shown).strip()


def _words(text: str) -> str:
    """Escaped words with the spaces around them; an address is code, which links to nothing and needs no escapes."""
    shown, at = [], 0
    for match in _ADDRESS.finditer(text):
        url = match[0].rstrip(".,;:!?")
        shown += [_escape_words(text[at : match.start()]), f"`{url}`"]
        at = match.start() + len(url)
    return "".join([*shown, _escape_words(text[at:])])


def _escape_words(text: str) -> str:
    plain = _ESCAPED.sub(r"\1", _EMPHASIS.sub("", text))
    before = " " if plain[:1].isspace() else ""
    after = " " if plain[-1:].isspace() and plain.strip() else ""
    return f"{before}{escape_markdown(plain)}{after}"
