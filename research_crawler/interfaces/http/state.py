"""What the routes of one server share: the running process, its live feeds, its metrics, and whether it drains."""

from typing import Annotated

from fastapi import Depends, Request

from research_crawler.core.tasks.shared_run import SharedRun
from research_crawler.interfaces.http.metrics import ServerMetrics
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.batches.batch_feed import BatchFeeds
from research_crawler.services.doctor.check import HealthCheck
from research_crawler.services.doctor.examine import ask_services
from research_crawler.services.jobs.job_feed import JobFeeds

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


# They are coroutines: a plain function would be run in a thread, which costs each request more than its own work.


async def server_state(request: Request) -> ServerState:
    """The state of the server that got this request."""
    state: ServerState = request.app.state.server
    return state


async def runtime_of(request: Request) -> Runtime:
    """The running process behind this server."""
    return (await server_state(request)).runtime


RuntimeOf = Annotated[Runtime, Depends(runtime_of)]
"""A parameter of a route: the running process."""
StateOf = Annotated[ServerState, Depends(server_state)]
"""A parameter of a route: the state of the server."""
