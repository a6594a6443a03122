"""From a leased command to the request that a project's own spider made, on its way through our middlewares."""

from typing import Any, cast

from scrapy import Request
from scrapy.crawler import Crawler

from research_crawler.core import services
from research_crawler.core.leases import Task
from research_crawler.frontier.request_state import first_state
from research_crawler.frontier.scheduler import FrontierScheduler
from research_crawler.frontier.settlements import RESERVED, settlements_of
from research_crawler.middlewares.callback_output import CallbackOutputMiddleware


def project_request(task: Task, crawler: Crawler) -> Request:
    """A leased request of a project's spider, as it was made; where it was redirected to, a GET of that place.

    Raises:
        BadMessage: it cannot be made (any more).
    """
    command = task.command
    made = cast(FrontierScheduler, crawler.engine.scheduler).queue.decode(command.request)
    settlements_of(services.of(crawler).node).open(task, made)
    output = crawler.get_spider_middleware(CallbackOutputMiddleware)
    assert output, "the add-on sets this middleware"
    users = {name: value for name, value in made.meta.items() if name not in RESERVED}
    meta = users | first_state(task).meta
    if command.hop:
        return Request(
            command.url,
            method="HEAD" if made.method == "HEAD" else "GET",
            headers=_headers_elsewhere(made),
            meta=meta,
            callback=made.callback,
            errback=output.on_failure,
            cb_kwargs=made.cb_kwargs,
            dont_filter=True,
        )
    request: Request = made.replace(meta=meta, errback=output.on_failure, dont_filter=True, cookies={})
    if cookies := _cookie_header(made):
        request.headers.setdefault("Cookie", cookies)
    return request


def _headers_elsewhere(request: Request) -> dict[str, Any]:
    """What another host may know of a request that was redirected to it: no cookies, no login."""
    kept = ("Accept", "Accept-Language", "User-Agent")
    return {name: value for name in kept if (value := request.headers.get(name))}


def _cookie_header(request: Request) -> str:
    """What the spider itself sends; no jar keeps what hosts set."""
    given: Any = request.cookies
    pairs = given if isinstance(given, dict) else {one["name"]: one["value"] for one in given}
    return "; ".join(f"{_as_text(name)}={_as_text(value)}" for name, value in pairs.items())


def _as_text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
