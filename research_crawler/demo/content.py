"""Reads the pages of the demo web: hosts from TOML, pages from Markdown files with TOML front matter.

A file `site/<host>/a/b.md` is the page `/a/b` (plus the host's suffix). After the body, lines
`@@ author | date | votes` start posts: answers in a forum thread, comments under an article. Links have the
form `[text](host:/path)`.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen

SITE = Path(__file__).with_name("site")
Layout = Literal[
    "blog", "docs", "forum", "news", "official", "review", "wiki", "app", "search", "shop", "walls"
]
"""The look of a host's pages, which names its template; behind `app`, `search`, `shop` and `walls` stands code."""
SHOP: Final = "shop"
"""The layout of the hosts whose requests `shop_server` answers."""
_POST = re.compile(r"^@@ (?P<author>[^|\n]+) \| (?P<date>[\d-]+)(?: \| (?P<votes>-?\d+))?$", re.MULTILINE)


class Host(Frozen):
    """One host: its address, the look of its pages, and its behaviour."""

    key: str
    ip: str
    name: str
    layout: Layout = "blog"
    tagline: str = ""
    suffix: str = ""
    nav: tuple[tuple[str, str], ...] = ()
    """The label and path of each menu entry."""
    asides: tuple[str, ...] = ()
    """The boxes beside the text: advertising, newsletter, notices."""
    cookie_notice: str = ""
    footer: str = ""
    robots: str = "User-agent: *\nAllow: /\n"
    robots_path: str = "/robots.txt"
    """The path of the rules. If it is another one, `/robots.txt` redirects to it."""
    robots_status: int = 200
    robots_hang: bool = False
    """Whether the host waits `WebOptions.hang_s` before it answers for robots.txt."""
    redirects: dict[str, str] = Field(default_factory=dict)
    """Path → path of the same host, `host:/path`, or URL; `{port}` is the port of this run."""
    behaviour: str = "plain"
    """The name of a function in `hazards`."""
    hazards: dict[str, str] = Field(default_factory=dict)
    """The path of each hazard for crawlers, by name."""


class DemoPost(Frozen):
    """An answer in a thread, or a comment under an article."""

    author: str
    date: str
    votes: int | None = None
    body: str


class Page(Frozen):
    """One page. Listings and the page's description show `summary`, which contains no figures."""

    host: str
    path: str
    title: str
    author: str = ""
    date: str = ""
    updated: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    specs: dict[str, str] = Field(default_factory=dict)
    pros: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()
    score: float | None = None
    related: tuple[str, ...] = ()
    """References `host:/path`."""
    charset: str = "utf-8"
    """The real encoding of the bytes."""
    declared: str = "utf-8"
    """The charset in the header; "" for none."""
    script: Literal["", "redirect", "private", "endless"] = ""
    """For layout `app`: what the page's script does besides showing the text. `redirect` opens the first of
    `related`."""
    listed: bool = True
    """Whether the page is in listings and in the search index."""
    body: str
    posts: tuple[DemoPost, ...] = ()


class World(Frozen):
    """All hosts and pages of the demo web."""

    hosts: dict[str, Host]
    pages: dict[str, Page]
    """By reference `host:/path`."""

    def of_host(self, key: str) -> list[Page]:
        """The listed pages of a host, newest first."""
        pages = [page for page in self.pages.values() if page.host == key and page.listed]
        return sorted(pages, key=lambda page: (page.date, page.path), reverse=True)


@cache
def load_world() -> World:
    """Read all hosts and pages; the result is cached."""
    hosts = read_hosts(SITE / "hosts.toml") | _read_shop_hosts(SITE / "shops.toml")
    pages = {f"{page.host}:{page.path}": page for host in hosts.values() for page in _read_pages(host)}
    return World(hosts=hosts, pages=pages)


def read_hosts(path: Path) -> dict[str, Host]:
    """The hosts in a TOML file, in its order."""
    tables = tomllib.loads(path.read_text("utf-8"))
    return {key: Host(key=key, **table) for key, table in tables.items()}


def _read_shop_hosts(path: Path) -> dict[str, Host]:
    """The hosts of the shops. `shops` reads what they sell."""
    tables = tomllib.loads(path.read_text("utf-8"))["shops"]
    return {
        key: Host(key=key, ip=table["ip"], name=table["name"], tagline=table.get("tagline", ""), layout=SHOP)
        for key, table in tables.items()
    }


def parse_page(host: Host, path: str, text: str) -> Page:
    """Parse a page from the text of its file."""
    _, head, rest = text.split("+++\n", 2)
    marks = list(_POST.finditer(rest))
    edges = [*(mark.start() for mark in marks), len(rest)]
    posts = tuple(
        DemoPost.model_validate({**mark.groupdict(), "body": rest[mark.end() : end].strip()})
        for mark, end in zip(marks, edges[1:], strict=True)
    )
    body = rest[: edges[0]]
    return Page(host=host.key, path=path, body=body.strip(), posts=posts, **tomllib.loads(head))


def _read_pages(host: Host) -> Iterator[Page]:
    folder = SITE / host.key
    for file in sorted(folder.rglob("*.md")):
        path = "/" + file.relative_to(folder).with_suffix("").as_posix() + host.suffix
        yield parse_page(host, path, file.read_text("utf-8"))
