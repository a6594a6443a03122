"""Reads RSS and Atom feeds as pages: every entry with its heading, date, author, text and link."""

import re
from collections.abc import Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime

from lxml import etree

from research_crawler.core.models.web.pages import MAX_LINKS, Heading, Link, PageText
from research_crawler.core.web.urls import canonical_url
from research_crawler.extraction.html.blocks import Block, read_blocks
from research_crawler.extraction.html.finish import finished
from research_crawler.extraction.html.html_to_markdown import to_markdown, to_text
from research_crawler.extraction.html.tree import parse_html
from research_crawler.extraction.metadata.page_facts import read_language, robots_rules
from research_crawler.extraction.metadata.page_names import day, line

MAX_ENTRIES = 500
"""Most entries of a feed that are read."""
_START = re.compile(
    r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+|<\?[^>]*+>\s*+|<!DOCTYPE[^>]*+>\s*+)*+<(?:rss|feed|rdf:RDF)\b",
    re.S | re.I,
)
_DECLARATION = re.compile(r"^\ufeff?\s*<\?xml[^>]*>")
_TEXTS = ("encoded", "content", "description", "summary")
_DAYS = ("pubdate", "published", "date", "updated", "issued")


def is_feed(text: str) -> bool:
    """Whether a document is an RSS or Atom feed."""
    return _START.match(text[:2_000].lstrip("\ufeff")) is not None


def read_feed(text: str, url: str, headers: Mapping[str, str]) -> PageText | None:
    """Read a feed as a listing of its entries; None if it cannot be parsed or has no entries."""
    # The parser resolves no entities and fetches nothing. It reads a truncated or malformed feed as far as
    # possible.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    root = etree.fromstring(_DECLARATION.sub("", text).encode(), parser)
    elements = list(root.iter(etree.Element)) if root is not None else []
    entries = [element for element in elements if _name(element) in ("item", "entry")]
    if not entries:
        return None
    channel = next((element for element in elements if _name(element) in ("channel", "feed")), root)
    blocks = list(_head(channel)) + [block for entry in entries[:MAX_ENTRIES] for block in _blocks(entry)]
    markdown, plain = (finished(write(blocks)) for write in (to_markdown, to_text))
    rules = robots_rules(headers)
    return PageText(
        markdown=markdown,
        text=plain,
        title=_value(channel, "title"),
        published="",
        modified=_day(channel),
        language=line(_value(channel, "language"))[:2].lower() or read_language(None, headers, plain),
        site=_value(channel, "title"),
        kind="listing",
        description=_plain(_value(channel, "description", "subtitle", "tagline")),
        links=_links(entries, url),
        headings=[Heading(level=b.level, text=b.text[:300]) for b in blocks if b.kind == "heading"],
        metadata={"feed": etree.QName(root).localname.lower(), "entries": len(entries)},
        noarchive="noarchive" in rules,
        nosnippet="nosnippet" in rules,
    )


def _head(channel: etree._Element) -> Iterator[Block]:
    if title := _value(channel, "title"):
        yield Block("heading", title, level=1)
    if words := _plain(_value(channel, "description", "subtitle", "tagline")):
        yield Block("paragraph", words)


def _blocks(entry: etree._Element) -> Iterator[Block]:
    if title := _plain(_value(entry, "title")):
        yield Block("heading", title, level=2)
    facts = " · ".join(filter(None, (_author(entry), _day(entry))))
    if facts:
        yield Block("paragraph", facts)
    texts = (_markup(child) for name in _TEXTS for child in entry if _name(child) == name)
    if markup := next(filter(str.strip, texts), ""):
        yield from read_blocks(parse_html(f"<div>{markup}</div>").body)


def _markup(element: etree._Element) -> str:
    """The content of an element: escaped markup unchanged, inline markup serialised."""
    inside = "".join(etree.tostring(child, encoding="unicode") for child in element)
    return f"{element.text or ''}{inside}"


def _links(entries: Sequence[etree._Element], url: str) -> list[Link]:
    texts: dict[str, str] = {}
    for entry in entries:
        for child in entry:
            if _name(child) == "link" and child.get("rel", "alternate") == "alternate":
                target = canonical_url((child.get("href") or child.text or "").strip(), url)
                if target and len(texts) < MAX_LINKS:
                    texts.setdefault(target, _plain(_value(entry, "title"))[:200])
    return [Link(url=target, text=text) for target, text in texts.items()]


def _author(entry: etree._Element) -> str:
    for child in entry:
        if _name(child) in ("author", "creator"):
            return line(_value(child, "name") or "".join(child.itertext()), 100)
    return ""


def _day(entry: etree._Element) -> str:
    for name in _DAYS:
        value = _value(entry, name)
        if found := day(value) or _mail_day(value):
            return found
    return ""


def _mail_day(value: str) -> str:
    try:
        return day(parsedate_to_datetime(value).isoformat()) if value else ""
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _value(element: etree._Element, *names: str) -> str:
    """The text of the first child that has one of the names."""
    for name in names:
        for child in element:
            if _name(child) == name and (text := line("".join(child.itertext()), 2_000)):
                return text
    return ""


def _plain(markup: str) -> str:
    return line(re.sub(r"<[^<>]*>", " ", markup), 2_000)


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname.lower() if isinstance(element.tag, str) else ""
