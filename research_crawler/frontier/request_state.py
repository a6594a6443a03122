"""The state of one request in a node: everything that our components tell each other about the request.

The state is the value of one key of `Request.meta`, `KEY`. The values that Scrapy and scrapy-playwright read from
`meta` (`download_timeout`, `download_slot`, `download_latency`, `playwright` …) stay where they expect them.

`Request.copy()` and `Request.replace()` copy `meta` one level deep, so a copy shares its state with the original: it
is the same download, and its permit must not be spent twice. A request for another URL gets a state of its own:
`after_redirect` and `for_robots_txt` name each field that is copied, and all other fields start with their defaults.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from scrapy import Request
from scrapy.http import Response

from research_crawler.core.errors import ResearchError
from research_crawler.core.models.messages.commands import SearchCommand, is_rendered
from research_crawler.core.models.web.cookies import CookieJar
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.models.web.target import Target
from research_crawler.core.tasks.leases import HeldPermit, Task

KEY: Final = "research"
ROBOTS_WAIT_S: Final = 10.0
"""Longest time for a robots.txt that was moved to another host, including the wait for that host's permit."""


class RobotsReader(Protocol):
    """Reads a robots.txt while its permit is still held (`middlewares.robots.RobotsReading`)."""

    def read(self, response: Response) -> int | None:
        """Read the response; return the Crawl-delay in ms, or None if it is not known."""
        ...


class ForeignRequest(ResearchError):
    """A component needs the leased command of a request, and the request has none."""

    def __init__(self, url: str, *, key: str) -> None:
        super().__init__(
            f"the request for {url} has no meta[{key!r}]: nobody leased a command for it; "
            "requests of a node are made by `extensions.prefetch.request_of`"
        )
        self.url = url


@dataclass(frozen=True, kw_only=True)
class GateTraffic:
    """The traffic of a rendered page through its gate of the guarding proxy."""

    moved_bytes: int
    requests: int
    refused: Mapping[str, int]
    """The number of requests that the guard refused, by reason."""


@dataclass(kw_only=True, slots=True, eq=False)
class RequestState:
    """What our middlewares, handlers and extensions know about one request."""

    # Set by the code that makes the request:
    task: Task
    """The leased command that the request is made for."""
    target: Target
    """The page of this request, and the slot that the request waits in."""
    redirects: int
    """The number of redirects so far; the permit's name is `<token>:<redirects>`."""
    first: bool = False
    """True for the request that carries the command through the engine; a stored page may answer it."""
    render: bool = False
    """True if the browser renders the page."""
    provider: bool = False
    """True for a call of a search provider, whose answer is not the command's page and is not shared."""
    service: bool = False
    """True if the operator configured this endpoint, so its address may be private; false for its redirects."""
    exempt: bool = False
    """True if the operator configured this endpoint, so its robots.txt is not read; false for its redirects."""
    robots: RobotsReader | None = None
    """Set for a download of robots.txt; it reads the rules while the permit is held."""
    resume_at: tuple[Target, int] | None = None
    """The page and number of redirects at which a command that is put back resumes; None: `target` and `redirects`."""
    gap_ms: int | None = None
    """Least time from the end of a provider's call to its next call; None: the host's own delay."""
    deadline_s: float | None = None
    """The latest time for getting the permit (monotonic clock); None: the command may be put back instead."""
    limit_s: float | None = None
    """The longest download; None: the configured limit."""
    read_bytes: int | None = None
    """A longer body is cut to this size; None: a body over the configured size limit fails."""
    pause_s: float = 0.0
    """How long the browser stays on a rendered page after it has finished loading."""
    chain: tuple[str, ...] = ()
    """Canonical URLs of the redirects so far."""

    # Set by the components during the download:
    permit: HeldPermit | None = None
    """The permit for this download, while it is held."""
    cookies: CookieJar | None = None
    """The cookies that the command's redirects have set; None before the first redirect or until they are loaded."""
    crawl_delay_ms: int | None = None
    """The Crawl-delay of the host's robots.txt."""
    suggested_delay_ms: int | None = None
    """The delay that the download's latency suggests for its host."""
    stored: StoredPage | None = None
    """The archived page that answers the request; the response then has no body."""
    redirect_to: Target | None = None
    """The target of the response's redirect."""
    ended_at: datetime | None = None
    """When the last byte arrived."""
    gate: GateTraffic | None = None
    """The traffic of a rendered page; set when the rendering has ended."""

    @property
    def is_of_page(self) -> bool:
        """Whether the request downloads the command's own page, not robots.txt or a provider's answer."""
        return self.robots is None and not self.provider

    @property
    def meta(self) -> dict[str, Any]:
        """The `meta` for a request with this state."""
        return {KEY: self}

    def after_redirect(self, to: Target, *, chain: tuple[str, ...]) -> "RequestState":
        """The state of the request that follows a redirect.

        The command, the wishes of its request and its cookies are copied. What was learnt about the previous host,
        the permit, and the operator's exceptions for one endpoint (`service`, `exempt`) are not.
        """
        deadline_s = self.deadline_s
        if self.robots is not None and deadline_s is None:
            deadline_s = time.monotonic() + ROBOTS_WAIT_S
        return RequestState(
            task=self.task,
            target=to,
            redirects=self.redirects + 1,
            render=self.render,
            provider=self.provider,
            robots=self.robots,
            resume_at=self.resume_at,
            gap_ms=self.gap_ms,
            deadline_s=deadline_s,
            limit_s=self.limit_s,
            read_bytes=self.read_bytes,
            pause_s=self.pause_s,
            chain=chain,
            cookies=self.cookies,
        )

    def for_robots_txt(self, reader: RobotsReader, *, limit_s: float, read_bytes: int) -> "RequestState":
        """The state of the request for the robots.txt of this request's origin; it takes over this permit."""
        permit, self.permit = self.permit, None
        return RequestState(
            task=self.task,
            target=self.target,
            redirects=self.redirects,
            service=self.service,
            robots=reader,
            resume_at=(self.target, self.redirects),
            deadline_s=self.deadline_s,
            limit_s=limit_s,
            read_bytes=read_bytes,
            permit=permit,
        )


def first_state(task: Task) -> RequestState:
    """The state of the request that carries a leased command into the engine."""
    command = task.command
    return RequestState(
        task=task,
        target=command.target,
        redirects=command.redirects,
        first=True,
        render=is_rendered(command),
        permit=task.permits[0]
        if task.lease.permit and not isinstance(command, SearchCommand)
        else None,  # a search spends it itself
    )


def state_of(request: Request) -> RequestState:
    """The state of a request that one of our components made.

    Raises:
        ForeignRequest: the request has no state.
    """
    state = find_state(request)
    if state is None:
        raise ForeignRequest(request.url, key=KEY)
    return state


def state_of_response(response: Response) -> RequestState:
    """The state of the request that a response answers; after redirects, that of the last request.

    Raises:
        ForeignRequest: the request has no state.
    """
    if response.request is None:
        raise ForeignRequest(response.url, key=KEY)
    return state_of(response.request)


def find_state(request: Request) -> RequestState | None:
    """The state of a request; None if it was made by other code, for which no command is leased."""
    state = request.meta.get(KEY)
    return state if isinstance(state, RequestState) else None
