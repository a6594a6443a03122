"""Renders pages as HTML, with a Jinja template for each kind of site and Markdown for the text."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from research_crawler.demo.content import SITE, DemoPost, Host, Page, World

PAGE_SIZE = 12
"""The number of entries on a page of a listing."""
_REFERENCE = re.compile(r"\]\((?P<host>[a-z]++):(?P<path>/[^()\s]*+)\)")


class Renderer:
    """Renders the pages of the world, with the URLs that its hosts have in this run."""

    def __init__(self, world: World, bases: Mapping[str, str]) -> None:
        """`bases` maps host keys to base URLs without a slash at the end."""
        self._world = world
        self._bases = bases
        self._markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        self._jinja = Environment(
            loader=FileSystemLoader(SITE / "_templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
        )

    def page(self, page: Page) -> str:
        """The HTML of a page."""
        newest = [other for other in self._world.of_host(page.host) if other is not page][:5]
        return self._render(
            self._world.hosts[page.host],
            page=page,
            heading=page.title,
            body=self._html(page.body),
            posts=[self._post(post) for post in page.posts],
            related=[(self.url(ref), self._world.pages[ref].title) for ref in page.related],
            newest=newest,
            links=[self.url(ref) for ref in page.related],
            port=urlsplit(self._bases[page.host]).port,
        )

    def data(self, page: Page) -> dict[str, str]:
        """The JSON data that the script of a page with layout `app` fetches."""
        name = self._world.hosts[page.host].name
        return {
            "title": f"{page.title} – {name}",
            "heading": page.title,
            "author": page.author,
            "date": page.date,
            "html": str(self._html(page.body)),
        }

    def listing(self, host: Host, *, number: int = 1, tag: str = "") -> str | None:
        """A listing of the host's pages, newest first; None if it does not exist."""
        pages = [page for page in self._world.of_host(host.key) if not tag or tag in page.tags]
        shown = pages[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
        if not shown and (number > 1 or tag):
            return None
        more = number * PAGE_SIZE < len(pages)
        heading = f"Topic: {tag}" if tag else host.name
        return self._render(
            host, page=None, heading=heading, entries=shown, number=number, more=more, newest=[]
        )

    def search(self, host: Host, query: str, results: Sequence[Mapping[str, object]] | None) -> str:
        """The search engine's form, with the results if there was a query."""
        return self._render(host, page=None, heading=host.name, query=query, results=results, newest=[])

    def text(self, page: Page) -> str:
        """The text of the page without markup, for the search index."""
        parts = [page.body, *(post.body for post in page.posts)]
        table = " ".join(f"{name}: {value}." for name, value in page.specs.items())
        words = [*page.pros, *page.cons, table]
        return " ".join([str(self._html(part).striptags()) for part in parts] + words)

    def url(self, reference: str) -> str:
        """The URL of `host:/path` in this run."""
        host, _, path = reference.partition(":")
        return self._bases[host] + path

    def _render(self, host: Host, **values: object) -> str:
        return self._jinja.get_template(f"{host.layout}.html").render(
            host=host, base=self._bases[host.key], **values
        )

    def _post(self, post: DemoPost) -> dict[str, object]:
        return {"author": post.author, "date": post.date, "votes": post.votes, "body": self._html(post.body)}

    def _html(self, markdown: str) -> Markup:
        linked = _REFERENCE.sub(self._link, markdown)
        return Markup(self._markdown.render(linked))  # noqa: S704  # our own files; HTML is disabled

    def _link(self, match: re.Match[str]) -> str:
        return f"]({self._bases[match['host']]}{match['path']})" if match["host"] in self._bases else match[0]
