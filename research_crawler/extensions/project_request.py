"""Makes the request of a project's own spider from a leased command, with the state that our middlewares need."""

from typing import Any, cast

from scrapy import Request
from scrapy.crawler import Crawler
from twisted.python.failure import Failure

from research_crawler.core import crawler_services
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.commands import ProjectRequest
from research_crawler.core.models.why import NO_REASON
from research_crawler.core.tasks.leases import Task
from research_crawler.frontier.request_state import first_state
from research_crawler.frontier.scheduler import FrontierScheduler
from research_crawler.frontier.settlements import RESERVED, settlements_of
from research_crawler.handlers.failures import failure_reason
from research_crawler.middlewares.callback_output import CallbackOutputMiddleware

log = get_log(__name__)


def project_request(task: Task, command: ProjectRequest, crawler: Crawler) -> Request:
    """The request of a leased command, as the project's spider made it; after a redirect, a GET of the new URL.

    Raises:
        BadMessage: the stored request cannot be decoded, for example because its callback no longer exists.
    """
    scheduler = cast(FrontierScheduler, crawler.engine.scheduler)
    made = scheduler.request_of(command)
    if scheduler.is_tool:
        made = made.replace(errback=_tell_failure)
    settlements_of(crawler_services.of(crawler).node).open(task, made)
    output = crawler.get_spider_middleware(CallbackOutputMiddleware)
    assert output, "the add-on sets this middleware"
    own_meta = {name: value for name, value in made.meta.items() if name not in RESERVED}
    meta = own_meta | first_state(task).meta
    if command.redirects:
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


def _tell_failure(failure: Failure) -> None:
    """Say in one line why `scrapy fetch` prints nothing."""
    reason, _ = failure_reason(failure.value) if failure.value else (NO_REASON, False)
    request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
    log.warning(f"{request.url} was not fetched: {reason.text or failure.getErrorMessage()}")


def _headers_elsewhere(request: Request) -> dict[str, Any]:
    """The headers that another host gets after a redirect: no cookies, no login."""
    copied = ("Accept", "Accept-Language", "User-Agent")
    return {name: value for name in copied if (value := request.headers.get(name))}


def _cookie_header(request: Request) -> str:
    """The Cookie header with the cookies that the spider itself set; cookies from hosts are not stored."""
    cookies: Any = request.cookies
    pairs = cookies if isinstance(cookies, dict) else {cookie["name"]: cookie["value"] for cookie in cookies}
    return "; ".join(f"{_as_text(name)}={_as_text(value)}" for name, value in pairs.items())


def _as_text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
