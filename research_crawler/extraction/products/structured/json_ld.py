"""Structured data: reads the JSON-LD blocks of a page, including those that are not quite valid JSON."""

import html as entities
import json
import re
from collections.abc import Iterator
from typing import Any

from json_repair import repair_json
from lxml import html

from research_crawler.extraction.products.structured.mentions import Item, RawItem

MAX_REPAIR_CHARS = 60_000
"""Longer broken blocks are ignored: json_repair takes 40 ms for this many characters."""
_MAX_DEPTH = 12
"""Deeper objects of JSON-LD are not read."""
_WRAPPING = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>)\s*+(?:;\s*+)?$"
)
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")


def read_json_ld(root: html.HtmlElement) -> Iterator[RawItem]:
    """Every typed object of the page's JSON-LD with its path; graphs are split into their objects."""
    for number, script in enumerate(root.iter("script")):
        text = script.text or ""
        if text and "ld+json" in (script.get("type") or "").lower():
            for path, item in _objects(load_json(text), f"script[{number}]"):
                yield RawItem(source="json_ld", path=path, data=item)


def load_json(text: str) -> Any:
    """The value of a JSON text; None if it cannot be read.

    Comments around the text, control characters, trailing commas and, in short texts, worse errors are
    tolerated.
    """
    clean = _WRAPPING.sub("", text).strip().rstrip(";")
    for attempt in (clean, _TRAILING_COMMA.sub("", clean), entities.unescape(clean)):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    if len(clean) > MAX_REPAIR_CHARS or clean[:1] not in "{[":
        return None
    try:
        return repair_json(clean, return_objects=True)
    except (ValueError, RecursionError):
        return None


def _objects(value: Any, path: str, depth: int = 0) -> Iterator[tuple[str, Item]]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for number, entry in enumerate(value):
            yield from _objects(entry, f"{path}[{number}]", depth + 1)
    elif isinstance(value, dict):
        graph = value.get("@graph")
        if isinstance(graph, list | dict):
            yield from _objects(graph, f"{path}.@graph", depth + 1)
        if "@type" in value:
            yield path, value
