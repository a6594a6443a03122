"""The state of one request on its way through a node: all that our components tell each other about it.

It stands under one key of `Request.meta`, `KEY`. What Scrapy and scrapy-playwright read there themselves
(`download_timeout`, `download_slot`, `download_latency`, `playwright` …) stays where they expect it.

`Request.copy()` and `Request.replace()` copy `meta` one level deep, so that a copy shares its state with the
original: it is the same download, and its permit must not be spent twice. A request for another URL never shares:
`after_redirect` and `for_robots_txt` name each field that goes along, and all others begin anew.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from scrapy import Request
from scrapy.http import Response

from research_crawler.core.errors import ForeignRequest
from research_crawler.core.leases import Hold, Task
from research_crawler.core.models.commands import Target
from research_crawler.core.models.cookies import CookieJar
from research_crawler.core.models.pages import StoredPage

KEY: Final = "research"
ROBOTS_WAIT_S: Final = 10.0
"""How long the host that a robots.txt was moved to may take, waiting included."""


class RobotsReader(Protocol):
    """Reads a robots.txt while its permit is still held (`middlewares.robots.RobotsReading`)."""

    def read(self, response: Response) -> int | None:
        """The Crawl-delay in ms, or None while that is not known."""
        ...


@dataclass(frozen=True, kw_only=True)
class GateTraffic:
    """What a rendered page moved over its gate of the guarding proxy."""

    moved_bytes: int
    requests: int
    refused: Mapping[str, int]
    """How often the guard refused something, by reason."""


@dataclass(kw_only=True, slots=True, eq=False)
class RequestState:
    """What our middlewares, handlers and extensions know of one request, and leave for each other."""

    # What is asked for, said by whoever made the request:
    task: Task
    """The leased command that the request is made for."""
    target: Target
    """The page of this request, and the slot that it waits in."""
    hop: int
    """Names the permit, `<token>:<hop>`; redirects count on."""
    first: bool = False
    """The request that carries the command through the engine; a stored page may answer it."""
    render: bool = False
    """The browser shows the page."""
    provider: bool = False
    """A search provider's call: not the command's page, and of no use to other commands."""
    service: bool = False
    """The operator named this endpoint: its address may be private. Never true of where it redirects to."""
    exempt: bool = False
    """The operator named this endpoint: robots.txt is not asked. Never true of where it redirects to."""
    robots: RobotsReader | None = None
    """Set for a download of robots.txt: learns the rules while the permit is held."""
    resume_at: tuple[Target, int] | None = None
    """Page and hop at which the command goes on when it is put back meanwhile; None: at `target` and `hop`."""
    gap_ms: int | None = None
    """Least time until the provider's next call; None: the host's own delay."""
    deadline_s: float | None = None
    """When the permit has to be there (monotonic clock); None: the command can be put back instead."""
    limit_s: float | None = None
    """Longest download; None: as configured."""
    read_bytes: int | None = None
    """The body is cut there, and a longer one is no failure; None: a body beyond the size limit fails."""
    pause_s: float = 0.0
    """How long to look at a rendered page once it rests."""
    chain: tuple[str, ...] = ()
    """Canonical URLs of the redirects so far."""

    # What the components learn on the way:
    hold: Hold | None = None
    """The permit for this download, as long as it is held."""
    cookies: CookieJar | None = None
    """What the command's redirects have set; None until the first of them, or until the jar is loaded."""
    crawl_delay_ms: int | None = None
    """What the host's robots.txt asks for."""
    delay_ms: int | None = None
    """The host's new delay, by AutoThrottle's formula."""
    stored: StoredPage | None = None
    """The page of the archive that answers the request; then the response has no body."""
    redirect_to: Target | None = None
    """Where the response leads."""
    ended_at: datetime | None = None
    """When the last byte came."""
    gate: GateTraffic | None = None
    """Set once a page was rendered."""

    @property
    def is_of_page(self) -> bool:
        """Whether the command's own page is downloaded: neither robots.txt nor a provider's answer."""
        return self.robots is None and not self.provider

    @property
    def meta(self) -> dict[str, Any]:
        """What a request takes as its `meta`."""
        return {KEY: self}

    def after_redirect(self, to: Target, *, chain: tuple[str, ...]) -> "RequestState":
        """The state of the request for where a redirect leads.

        The command and what it asks for go along, and so do its cookies. Begun anew is what was learnt of the host
        just left, the permit, and what the operator allowed for one endpoint (`service`, `exempt`).
        """
        deadline_s = self.deadline_s
        if self.robots is not None and deadline_s is None:
            deadline_s = time.monotonic() + ROBOTS_WAIT_S
        return RequestState(
            task=self.task,
            target=to,
            hop=self.hop + 1,
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
        """The state of the request for the robots.txt of this request's origin. It takes over the permit."""
        hold, self.hold = self.hold, None
        return RequestState(
            task=self.task,
            target=self.target,
            hop=self.hop,
            service=self.service,
            robots=reader,
            resume_at=(self.target, self.hop),
            deadline_s=self.deadline_s,
            limit_s=limit_s,
            read_bytes=read_bytes,
            hold=hold,
        )


def first_state(task: Task) -> RequestState:
    """The state of the request that carries a leased command into the engine."""
    command = task.command
    return RequestState(
        task=task,
        target=command.target,
        hop=command.hop,
        first=True,
        render=command.render,
        hold=task.holds[0] if task.lease.permit else None,
    )


def state_of(request: Request) -> RequestState:
    """The state of a request of ours.

    Raises:
        ForeignRequest: it has none.
    """
    state = find_state(request)
    if state is None:
        raise ForeignRequest(request.url, key=KEY)
    return state


def state_of_response(response: Response) -> RequestState:
    """The state of the request that a response answers: the last one, where there were redirects.

    Raises:
        ForeignRequest: it has none.
    """
    if response.request is None:
        raise ForeignRequest(response.url, key=KEY)
    return state_of(response.request)


def find_state(request: Request) -> RequestState | None:
    """The state of a request; None where somebody else made it, for whom no command is leased."""
    state = request.meta.get(KEY)
    return state if isinstance(state, RequestState) else None
