"""Makes the page about Redis: keys and channels from the map in `_keys.lua`, scripts from their headers."""

import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from research_crawler import frontier
from scripts.reference.markdown import code, plain, table

INTRO = """# Redis keys

All keys and channels have one prefix, `RESEARCH_REDIS_PREFIX` (`research:` by default). Only the scripts below write
the keys of commands and jobs; each script runs atomically. The inlet has no prefix: it is a list (or set, or sorted
set) with the name that scrapy-redis gives it (`page:start_urls`, `<spider>:start_urls`).

`<slot>` is a host name (`_` for no host, `model:<origin>` for a model endpoint). `<page_key>` is the hash of a
canonical URL and its render mode; fields and variables of the scripts call it `h`, as the release before wrote it.
"""
ENTRY = re.compile(r"^-- (?P<name>\S+) {2,}(?P<kind>\w+) {2,}(?P<content>.+)$")
TOPIC = re.compile(r"^-- (?P<topic>[A-Z][\w ]*)$")
HEADER = re.compile(r"\A(?:-- .*\n)+")
PART = re.compile(r"^(KEYS|Returns|include): ?", re.M)


@dataclass(frozen=True)
class Key:
    """A key or channel, from one line of the map."""

    topic: str
    name: str
    kind: str
    content: str


def keys_page() -> str:
    """The keys by topic, then the scripts."""
    lines, keys = [INTRO], key_map()
    for topic in dict.fromkeys(key.topic for key in keys):
        rows = [(code(key.name), key.kind, plain(key.content)) for key in keys if key.topic == topic]
        lines += [f"## {topic}", "", *table(("key", "type", "content"), rows)]
    head = ("script", "what it does", "arguments", "returns")
    operations = [(code(path.name.removesuffix(".lua")), *_parts_of(path)) for path in scripts()]
    return "\n".join([*lines, "## Scripts", "", *table(head, operations)])


def key_map() -> list[Key]:
    """Every key and channel, in the order of the map."""
    keys, topic = [], ""
    for line in (_lua() / "_keys.lua").read_text(encoding="utf-8").splitlines():
        if heading := TOPIC.match(line):
            topic = heading["topic"]
        elif entry := ENTRY.match(line):
            keys.append(Key(topic, entry["name"], entry["kind"], entry["content"]))
    return keys


def scripts() -> list[Traversable]:
    """The files of the scripts; files that start with an underscore are included by them and left out."""
    paths = (path for path in _lua().iterdir() if path.name.endswith(".lua") and path.name[0] != "_")
    return sorted(paths, key=lambda path: path.name)


def _parts_of(path: Traversable) -> tuple[str, str, str]:
    header = HEADER.match(path.read_text(encoding="utf-8"))
    text = re.sub(r"^-- ?", "", header[0] if header else "", flags=re.M)
    parts = PART.split(text)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    arguments = named.get("KEYS", "").replace("prefix. ARGV:", "", 1)
    return plain(parts[0]), plain(arguments), plain(named.get("Returns", ""))


def _lua() -> Traversable:
    return resources.files(frontier) / "lua"
