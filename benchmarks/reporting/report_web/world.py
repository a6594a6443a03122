"""The web that the benchmark `reports` asks about, and its questions with what is true of them.

The pages are Markdown files of the demo web's form under `site/`; the demo web's own pages stand beside them in the
same search engine.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from benchmarks.reporting.report_web.series import series_pages
from research_crawler.core.models.base import Frozen
from research_crawler.demo.content import Host, Page, World, load_world, parse_page, read_hosts
from research_crawler.demo.demo_questions import DemoQuestion, Fact

FOLDER: Final = Path(__file__).parent
TRAP: Final = "trap"
"""The host that pages order machines to open. No result and no link leads to it."""
_WAITING_LAYOUTS: Final = frozenset({"app", "walls"})
"""Layouts of the demo web that need a browser or give no page."""


class Stale(Frozen):
    """A value that was true once."""

    accept: tuple[str, ...]
    """Patterns that a sentence with the value matches, all of them."""
    dated: tuple[str, ...] = ()
    """What in the same sentence shows its age, beside the words and years that do so anywhere."""


class LocalQuestion(DemoQuestion):
    """A question about this web. Without facts: nothing on the web answers it."""

    half: Literal["open", "held"]
    """Causes are looked for in the open half alone."""
    facts: tuple[Fact, ...] = ()
    shopping: bool = False
    hops: int = 1
    """How many pages lead to the answer."""
    sides: tuple[tuple[str, ...], ...] = ()
    """Values that pages state against each other: the patterns of each."""
    stale: Stale | None = None
    series: str = ""
    """Words that find the series of pages on its subject, if there is one."""
    wrong: tuple[str, ...] = ()
    """Patterns of what is true of something else with a similar name."""
    orders: tuple[str, ...] = ()
    """Patterns of the sentences that one of the pages orders a machine to write."""

    def at(self, hosts: Mapping[str, str]) -> "LocalQuestion":
        """The question with the URLs that the hosts have in this run."""
        return self.changed(
            facts=tuple(
                fact.changed(urls=tuple(_url(reference, hosts) for reference in fact.urls))
                for fact in self.facts
            )
        )


class _File(Frozen):
    question: tuple[LocalQuestion, ...] = Field(min_length=1)


@cache
def local_questions() -> tuple[LocalQuestion, ...]:
    """All questions, with references (`host:/path`) in place of URLs."""
    tables = tomllib.loads((FOLDER / "questions.toml").read_text("utf-8"))["question"]
    for table in tables:
        for fact in table.get("facts", ()):
            fact.setdefault("statement", "")
    return _File.model_validate({"question": tables}).question


def local_world(port: int, *, has_series: bool = False) -> World:
    """The pages of this benchmark, and those of the demo web whose hosts behave.

    Args:
        port: all hosts listen on it.
        has_series: whether the many pages that are alike stand beside them.
    """
    demo = load_world()
    hosts = demo.hosts | read_hosts(FOLDER / "hosts.toml")
    pages = {reference: _shown(page, demo.hosts[page.host]) for reference, page in demo.pages.items()}
    own = [*own_pages(port), *(series_pages(hosts) if has_series else ())]
    return World(hosts=hosts, pages=pages | {f"{page.host}:{page.path}": page for page in own})


def own_hosts() -> dict[str, Host]:
    """The hosts of this benchmark."""
    return read_hosts(FOLDER / "hosts.toml")


def own_pages(port: int) -> Iterator[Page]:
    """The pages of this benchmark; `{port}` in their text becomes the port of the run."""
    for host in own_hosts().values():
        folder = FOLDER / "site" / host.key
        for file in sorted(folder.rglob("*.md")):
            path = "/" + file.relative_to(folder).with_suffix("").as_posix() + host.suffix
            yield parse_page(host, path, file.read_text("utf-8").replace("{port}", str(port)))


def _shown(page: Page, host: Host) -> Page:
    """The page, which is not listed if its host does not answer at once."""
    waits = host.behaviour != "plain" or host.robots_hang or host.layout in _WAITING_LAYOUTS
    return page.changed(listed=False) if waits else page


def _url(reference: str, hosts: Mapping[str, str]) -> str:
    host, _, path = reference.partition(":")
    return hosts[host] + path
