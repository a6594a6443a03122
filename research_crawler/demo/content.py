"""The pages of the demo web as data: hosts from TOML, pages from Markdown files with TOML front matter.

A file `site/<host>/a/b.md` is the page `/a/b` (plus the host's suffix). After the body, lines
`@@ author | date | votes` start posts: answers of a forum thread, comments under an article. Links are
written `[text](host:/path)`.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from research_crawler.core.models.base import Frozen

SITE = Path(__file__).with_name("site")
SHOP = "shop"
"""The layout of hosts that `shop_server` answers for."""
_POST = re.compile(r"^@@ (?P<author>[^|\n]+) \| (?P<date>[\d-]+)(?: \| (?P<votes>-?\d+))?$", re.MULTILINE)


class Host(Frozen):
    """One host: where it listens, how its pages look, and how it behaves."""

    key: str
    ip: str
    name: str
    layout: str = "blog"
    tagline: str = ""
    suffix: str = ""
    nav: tuple[tuple[str, str], ...] = ()
    """Label and path of the menu's entries."""
    asides: tuple[str, ...] = ()
    """Boxes beside the text: advertising, newsletter, notices."""
    cookie_notice: str = ""
    footer: str = ""
    robots: str = "User-agent: *\nAllow: /\n"
    robots_path: str = "/robots.txt"
    """Where the rules are served; elsewhere only behind a redirect."""
    robots_status: int = 200
    robots_hang: bool = False
    """Whether robots.txt is answered only after `WebOptions.hang_s`."""
    redirects: dict[str, str] = Field(default_factory=dict)
    """Path → path of the same host, `host:/path`, or URL; `{port}` is the port of this run."""
    behaviour: str = "plain"
    """Name of a function of `hazards`."""
    hazards: dict[str, str] = Field(default_factory=dict)
    """Path by name of what a crawler meets there."""


class DemoPost(Frozen):
    """An answer in a thread or a comment under an article."""

    author: str
    date: str
    votes: int | None = None
    body: str


class Page(Frozen):
    """One page. `summary` is shown in listings and in the page's description, and carries no figures."""

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
    """What the bytes are in truth."""
    declared: str = "utf-8"
    """What the header says; "" says nothing."""
    script: Literal["", "redirect", "private", "endless"] = ""
    """Layout app: what the page's script does besides showing its text; `redirect` goes to the first of `related`."""
    listed: bool = True
    """Whether listings and the search index know the page."""
    body: str
    posts: tuple[DemoPost, ...] = ()


class World(Frozen):
    """Everything there is."""

    hosts: dict[str, Host]
    pages: dict[str, Page]
    """By reference `host:/path`."""

    def of_host(self, key: str) -> list[Page]:
        """The listed pages of a host, newest first."""
        pages = [page for page in self.pages.values() if page.host == key and page.listed]
        return sorted(pages, key=lambda page: (page.date, page.path), reverse=True)


@cache
def load_world() -> World:
    """Read all hosts and pages, once."""
    hosts = read_hosts(SITE / "hosts.toml") | _read_shop_hosts(SITE / "shops.toml")
    pages = {f"{page.host}:{page.path}": page for host in hosts.values() for page in _read_pages(host)}
    return World(hosts=hosts, pages=pages)


def read_hosts(path: Path) -> dict[str, Host]:
    """The hosts of a TOML file, in its order."""
    tables = tomllib.loads(path.read_text("utf-8"))
    return {key: Host(key=key, **table) for key, table in tables.items()}


def _read_shop_hosts(path: Path) -> dict[str, Host]:
    """The shops among the hosts; what they sell is `shops`' matter."""
    tables = tomllib.loads(path.read_text("utf-8"))["shops"]
    return {
        key: Host(key=key, ip=table["ip"], name=table["name"], tagline=table.get("tagline", ""), layout=SHOP)
        for key, table in tables.items()
    }


def parse_page(host: Host, path: str, text: str) -> Page:
    """A page from the text of its file."""
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
