"""Reads the bytes of a downloaded page into the `PageText` that the system stores. No I/O."""

import html as entities
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.web.pages import Heading, PageText
from research_crawler.core.text.plain_text import clean, cleaned
from research_crawler.extraction.formats.feeds import is_feed, read_feed
from research_crawler.extraction.formats.page_readers import page_readers
from research_crawler.extraction.html.blocks import Block
from research_crawler.extraction.html.encoding import decode_page
from research_crawler.extraction.html.finish import finished
from research_crawler.extraction.html.html_to_markdown import to_markdown, to_text
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.main_text.read import read_main_text
from research_crawler.extraction.main_text.thread_replies import first_reply
from research_crawler.extraction.metadata.page_facts import (
    read_facts,
    read_language,
    read_links,
    read_meta,
    robots_rules,
)
from research_crawler.extraction.posts.posts import read_posts
from research_crawler.extraction.products.stated import stated_product

MAX_CHARS = 1_000_000
"""Longer text is cut, and `metadata["cut"]` is set. A million characters are about 250,000 tokens."""
_MARKUP_START = re.compile(r"<(?:\?xml|!--|!doctype|[a-z][\w:-]*[\s>/])", re.I)
_ANY_TAG = re.compile(r"<[^<>]*>?")
_PLAIN_TYPES = (
    "text/plain",
    "text/markdown",
    "text/csv",
    "text/x-",
    "application/yaml",
    "application/x-yaml",
)
_BLANK_LINES = re.compile(r"(?<![^\S\n])[^\S\n]++\n|\n{3,}+")
_TITLE_CHARS = 120
"""A longer first line of a text file is no title."""
_ARTICLES = {"article", "news", "review"}
"""Kinds whose `text` has no title: their true texts have none (98 articles +0.002, 30 and 438 others +0.001)."""
_WORD = re.compile(r"\w+")
_LEAST_SHARE_READ = 0.5
"""A text with less than this share of the declared words looks cut. Of 700 pages that are read whole none is
below it, but for one whose publisher shows 443 words of the 1,205 that it declares."""
_LEAST_DECLARED = 100
"""Only a page that declares at least so many words is checked for lost text."""
_MOST_DIGITS = 7
"""A declared number of words with more digits is not believed."""


def read_page(body: bytes, *, url: str, headers: Mapping[str, str], status: int = 200) -> PageText:
    """Read a page: its main text as Markdown and as plain text, and the facts that it states about itself.

    `metadata["truncated"]` is "suspected" if the page seems to have much more main text than was found: it
    declares twice as many words, or its readings differ that much and none of them is sure.

    Args:
        body: the downloaded bytes, with the content encoding already removed.
        url: the final URL. Links are resolved against it.
        headers: response headers, names in lower case.
        status: status of the response. Error pages are read like any other page.

    Raises:
        PageUnreadable: `empty`, `binary`, `no_text`, `pdf_broken` or `pdf_locked`.
    """
    for reader in page_readers():
        if reader.reads(body, headers):
            return reader.read(body, headers, MAX_CHARS)
    text, encoding = decode_page(body, headers)
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_markup = _is_markup(text, content_type)
    page = read_feed(text, url, headers) if is_feed(text) else None
    if page is None:
        page = _read_html(text, url, headers) if is_markup else _read_plain(text, headers)
    if not page.text.strip():
        raise PageUnreadable(Reason.NO_TEXT)
    # Escape sequences in JSON-LD and entities that were unescaped twice are decoded after parsing.
    return cleaned(page.changed(encoding=encoding))


def _is_markup(text: str, content_type: str) -> bool:
    start = text[:1_000].lstrip("\ufeff \t\r\n")
    if content_type.startswith(_PLAIN_TYPES):
        return start[:9].lower() == "<!doctype" or start[:5].lower() == "<html"
    if "html" in content_type or content_type.endswith("xml"):
        return True
    return "json" not in content_type and _MARKUP_START.match(start) is not None


def _read_html(text: str, url: str, headers: Mapping[str, str]) -> PageText:
    root = parse_html(text)
    # lxml creates a new Python object for an element on every pass, unless something holds a reference to it.
    alive = list(root.iter())
    facts = read_facts(root, url, headers)
    reading = read_main_text(root, url, read_meta(root))
    blocks, cut = _bounded(reading.blocks or _bare_text(text))
    markdown = finished(to_markdown(blocks))
    plain = finished(to_text(_without_title(blocks, facts.title) if reading.kind in _ARTICLES else blocks))
    is_part = reading.is_part or looks_cut(plain, facts.declared)
    links = read_links(root, url, plain)
    posts = read_posts(root, facts.declared)
    language = read_language(root, headers, plain)
    reply = first_reply(blocks, posts) if reading.kind == "forum" else 0
    del alive
    product = stated_product(text, url=url, language=language, kind=reading.kind, shown=markdown)
    return PageText(
        # Not in `text`: that is what people read on the page.
        markdown=f"{markdown}\n\n{product.markdown}" if product.markdown else markdown,
        text=plain,
        title=facts.title,
        author=facts.author,
        published=facts.published,
        modified=facts.modified,
        language=language,
        canonical_url=facts.canonical,
        site=facts.site,
        kind=reading.kind,
        description=facts.description,
        links=links,
        headings=[Heading(level=b.level, text=b.text[:300]) for b in blocks if b.kind == "heading"],
        posts=posts,
        replies_start=len(clean(finished(to_markdown(blocks[:reply])))) if reply else 0,
        metadata=facts.metadata
        | product.metadata
        | ({"cut": "true"} if cut else {})
        | ({"truncated": "suspected"} if is_part else {}),
        noarchive=facts.noarchive,
        nosnippet=facts.nosnippet,
    )


def _without_title(blocks: Sequence[Block], title: str) -> Sequence[Block]:
    """The blocks without a first heading that is the page's title, which is told beside the text."""
    first = blocks[0]
    is_title = first.kind == "heading" and first.text and _bare(first.text) in _bare(title)
    return blocks[1:] if is_title and len(blocks) > 1 else blocks


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _read_plain(text: str, headers: Mapping[str, str]) -> PageText:
    lines = _BLANK_LINES.sub(lambda match: "\n" if match[0].count("\n") == 1 else "\n\n", clean(text)).strip()
    bounded = finished(lines[:MAX_CHARS])
    rules = robots_rules(headers)
    first = bounded.split("\n", 1)[0].strip().lstrip("#").strip()
    return PageText(
        markdown=bounded,
        text=bounded,
        title=first if len(first) <= _TITLE_CHARS and not _is_json(bounded) else "",
        language=read_language(None, headers, bounded),
        metadata={"cut": "true"} if len(lines) > MAX_CHARS else {},
        noarchive="noarchive" in rules,
        nosnippet="nosnippet" in rules,
    )


def _is_json(text: str) -> bool:
    if text[:1] not in "{[":
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _bare_text(text: str) -> list[Block]:
    """The text without tags: the last resort where the parser gave up (trees deeper than 256 elements)."""
    without = re.sub(r"(?is)<(script|style|template|noscript|head)\b.*?(?:</\1\s*>|$)", " ", text)
    words = " ".join(entities.unescape(_ANY_TAG.sub(" ", clean(without))).split())
    return [Block("paragraph", words)] if words else []


def _bounded(blocks: list[Block]) -> tuple[list[Block], bool]:
    taken: list[Block] = []
    chars = 0
    for block in blocks:
        size = len(block.text) + sum(map(len, block.cells))
        if chars + size > MAX_CHARS:
            rest = MAX_CHARS - chars
            return ([*taken, Block("paragraph", block.text[:rest])] if rest and block.text else taken), True
        taken.append(block)
        chars += size
    return taken, False


def looks_cut(text: str, declared: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a text has less than half of the words that the page declares for its article.

    Args:
        text: the page's main text.
        declared: the nodes of the page's JSON-LD: the properties `wordCount` and `articleBody` of schema.org.
    """
    wanted = max((_declared_words(node) for node in declared), default=0)
    return wanted >= _LEAST_DECLARED and len(_WORD.findall(text)) < _LEAST_SHARE_READ * wanted


def _declared_words(node: Mapping[str, Any]) -> int:
    body, count = node.get("articleBody"), str(node.get("wordCount", "")).replace(",", "")
    of_body = len(_WORD.findall(body)) if isinstance(body, str) else 0
    return max(of_body, int(count) if count.isdecimal() and len(count) <= _MOST_DIGITS else 0)
