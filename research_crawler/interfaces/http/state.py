"""What the routes of one server share: the running process, its live feeds, its metrics, and whether it drains."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request

from research_crawler.interfaces.http.metrics import ServerMetrics
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches.batch_feed import BatchFeeds
from research_crawler.services.doctor.check import HealthCheck
from research_crawler.services.doctor.examine import ask_services
from research_crawler.services.jobs.job_feed import JobFeeds

T = TypeVar("T")


@dataclass(frozen=True)
class Ran(Generic[T]):
    """What a run gave, and when it ended."""

    result: T
    ended_ms: int


class SharedRun(Generic[T]):
    """Runs work once for all who ask while it runs, and for those who ask soon after it has ended."""

    def __init__(self, work: Callable[[], Awaitable[T]], *, fresh_s: float) -> None:
        """Make one, which has not run.

        Args:
            work: what is run. One that fails is run again for the next who asks.
            fresh_s: for how many seconds its result is given to those who ask again.
        """
        self._work, self._fresh_s = work, fresh_s
        self._running: asyncio.Task[Ran[T]] | None = None
        self._last: Ran[T] | None = None

    async def result(self) -> Ran[T]:
        """The result of the run that goes on, of the last one if it is fresh, or of a new one."""
        if self._last and time.time() * 1000 - self._last.ended_ms < self._fresh_s * 1000:
            return self._last
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        return await asyncio.shield(self._running)  # one who leaves does not end it for the others

    def close(self) -> None:
        """End what runs."""
        if self._running:
            self._running.cancel()

    async def _run(self) -> Ran[T]:
        self._last = Ran(await self._work(), int(time.time() * 1000))
        return self._last


SERVICES_FRESH_S = 60.0
"""For how long what providers and models have answered is told again without asking them, which may cost money."""


class ServerState:
    """The state of one server."""

    def __init__(self, runtime: Runtime, metrics: ServerMetrics) -> None:
        self.runtime, self.metrics = runtime, metrics
        self.feeds = JobFeeds(runtime)
        self.batch_feeds = BatchFeeds(runtime)
        self.asked_services: SharedRun[list[HealthCheck]] = SharedRun(
            lambda: ask_services(runtime), fresh_s=SERVICES_FRESH_S
        )
        """What providers and models have answered to the checks of `research doctor`."""
        self.is_ending = False
        """Set when the server drains: requests that wait answer with what there is."""

    def end(self) -> None:
        """Let the requests that wait for jobs answer."""
        self.is_ending = True
        self.feeds.close()
        self.batch_feeds.close()
        self.asked_services.close()


def state_of(request: Request) -> ServerState:
    """The state of the server that got this request."""
    state: ServerState = request.app.state.server
    return state


def runtime_of(request: Request) -> Runtime:
    """The running process behind this server."""
    return state_of(request).runtime


RuntimeOf = Annotated[Runtime, Depends(runtime_of)]
"""A parameter of a route: the running process."""
StateOf = Annotated[ServerState, Depends(state_of)]
"""A parameter of a route: the state of the server."""
