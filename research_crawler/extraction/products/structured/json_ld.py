"""Structured data: reads the JSON-LD blocks of a page, including those that are not quite valid JSON."""

import html as entities
import json
import re
from collections.abc import Iterator
from itertools import islice
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
_IN_SCRIPT = re.compile(r"\{\s*+\"@context\"\s*+:\s*+\"https?:\\?/\\?/(?:www\.)?schema\.org")
"""The beginning of a block that a script adds to the page when it runs."""
_SCRIPT_MAX_OBJECTS, _OBJECT_MAX_CHARS = 5, 200_000
"""Most objects that are searched for in a script, and longest one in characters."""
_STRING_OR_BRACE = re.compile(r'"(?:[^"\\]++|\\.)*+"?+|[{}]', re.S)
"""A string may lack its end: else each quote in it would be tried as the beginning of one."""


def read_json_ld(root: html.HtmlElement) -> Iterator[RawItem]:
    """Every typed object of the page's JSON-LD with its path; graphs are split into their objects."""
    for number, script in enumerate(root.iter("script")):
        text = script.text or ""
        if "ld+json" in (script.get("type") or "").lower():
            values = [load_json(text)] if text else []
        else:
            values = list(_added_blocks(text)) if "@context" in text else []
        for value in values:
            for path, item in _objects(value, f"script[{number}]"):
                yield RawItem(source="json_ld", path=path, data=item)


def _added_blocks(script: str) -> Iterator[Any]:
    """The blocks that a script would add to the page. Those that it computes are left out: they are not JSON."""
    for start in islice(_IN_SCRIPT.finditer(script), _SCRIPT_MAX_OBJECTS):
        block = _balanced(script[start.start() : start.start() + _OBJECT_MAX_CHARS])
        try:
            yield json.loads(_TRAILING_COMMA.sub("", block), strict=False)
        except (ValueError, RecursionError):
            continue


def _balanced(text: str) -> str:
    """The text up to the brace that closes its first one; "" if none does."""
    depth = 0
    for part in _STRING_OR_BRACE.finditer(text):
        depth += {"{": 1, "}": -1}.get(part[0], 0)
        if not depth:
            return text[: part.end()]
    return ""


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
