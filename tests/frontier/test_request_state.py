"""What a request carries through a node, and what goes along when it leads to another one."""

import ast
import time
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from research_crawler.core.models.web.cookies import CookieJar
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.core.tasks.leases import HeldPermit
from research_crawler.core.web.urls import frontier_target
from research_crawler.frontier.request_state import (
    KEY,
    ROBOTS_WAIT_S,
    ForeignRequest,
    GateTraffic,
    RequestState,
    find_state,
    state_of,
    state_of_response,
)
from research_crawler.middlewares.follow import FollowMiddleware
from research_crawler.middlewares.robots import RobotsReading
from tests.request_states import state_for

URL, NEXT = "https://shop.example/p/1", "https://other.example/p/1"
TARGET = frontier_target(URL)
GOES_ALONG = {
    "task", "render", "provider", "robots", "resume_at", "gap_ms", "deadline_s", "limit_s", "read_bytes", "pause_s",
    "cookies",
}  # fmt: skip
SAID_ANEW = {"target", "redirects", "chain"}
BEGINS_ANEW = {
    "first", "service", "exempt", "permit", "crawl_delay_ms", "suggested_delay_ms", "stored", "redirect_to", "ended_at",
    "gate",
}  # fmt: skip
SCRAPYS = {"download_timeout", "download_latency", "playwright_page"}
"""Keys of Scrapy and scrapy-playwright that we read or write where they expect them."""


class Engine:
    """Keeps what it is asked to download."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def download_async(self, request: Request) -> Response:
        self.asked.append(request)
        return Response(request.url, request=request)


def full() -> RequestState:
    """A state in which no field has the value that it begins with."""
    return state_for(
        URL,
        redirects=3,
        first=True,
        render=True,
        provider=True,
        service=True,
        exempt=True,
        robots=RobotsReading("research-crawler"),
        resume_at=(TARGET, 2),
        gap_ms=500,
        deadline_s=1e9,
        limit_s=7.0,
        read_bytes=1_000,
        pause_s=2.0,
        chain=("https://first.example/",),
        permit=HeldPermit(TARGET, 3, time.monotonic()),
        cookies=CookieJar(),
        crawl_delay_ms=2_000,
        suggested_delay_ms=3_000,
        stored=StoredPage(sha="0" * 64, url=URL, final_url=URL, page=PageText(markdown="x", text="x")),
        redirect_to=frontier_target(NEXT),
        ended_at=datetime.now(UTC),
        gate=GateTraffic(moved_bytes=1, requests=1, refused={}),
    )


def test_every_field_is_either_copied_or_reset_by_a_redirect():
    decided = [*GOES_ALONG, *SAID_ANEW, *BEGINS_ANEW]
    assert sorted(decided) == sorted(field.name for field in fields(RequestState))


def test_a_redirect_copies_what_the_request_asks_for_and_nothing_learnt_about_the_old_host():
    before, plain = full(), state_for(NEXT)
    after = before.after_redirect(frontier_target(NEXT), chain=(*before.chain, URL))
    assert {name for name in GOES_ALONG if getattr(after, name) is not getattr(before, name)} == set()
    assert {name for name in BEGINS_ANEW if getattr(after, name) != getattr(plain, name)} == set()
    assert (after.target.url, after.redirects, after.chain) == (NEXT, 4, ("https://first.example/", URL))


def test_a_moved_robots_txt_has_a_deadline_and_a_moved_page_has_none():
    moved = state_for(URL, robots=RobotsReading("bot")).after_redirect(frontier_target(NEXT), chain=())
    assert moved.deadline_s is not None
    assert 0 < moved.deadline_s - time.monotonic() <= ROBOTS_WAIT_S
    assert state_for(URL).after_redirect(frontier_target(NEXT), chain=()).deadline_s is None


def test_the_download_of_robots_txt_takes_over_the_permit_and_knows_where_the_command_resumes():
    page, reading = full(), RobotsReading("bot")
    permit = page.permit
    robots = page.for_robots_txt(reading, limit_s=10.0, read_bytes=512_000)
    assert (page.permit, robots.permit) == (None, permit)
    assert robots.resume_at == (page.target, page.redirects)
    assert (robots.robots, robots.limit_s, robots.read_bytes) == (reading, 10.0, 512_000)
    assert robots.service and not robots.exempt and not robots.provider and not robots.render
    assert robots.cookies is None and robots.gap_ms is None and not robots.is_of_page


def test_a_copy_of_a_request_shares_its_state_so_that_a_permit_is_not_spent_twice():
    request = Request(URL, meta=state_for(URL, permit=HeldPermit(TARGET, 0, time.monotonic())).meta)
    for copy in (request.copy(), request.replace(dont_filter=True)):
        assert copy.meta is not request.meta
        assert state_of(copy) is state_of(request)
    state_of(request).permit = None
    assert state_of(copy).permit is None


def test_a_request_without_a_leased_command_is_recognised():
    foreign = Request(URL)
    assert find_state(foreign) is None
    assert find_state(Request(URL, meta={KEY: {"task": "by hand"}})) is None
    for ask in (lambda: state_of(foreign), lambda: state_of_response(Response(URL))):
        with pytest.raises(ForeignRequest, match=r"shop\.example.*nobody leased"):
            ask()


async def test_a_redirected_request_drops_scrapys_meta_of_the_old_host():
    crawler = get_crawler()
    crawler.engine = Engine()
    meta = full().meta | {
        "download_slot": "shop.example",
        "download_latency": 0.1,
        "download_timeout": 9.0,
        "download_maxsize": 10,
    }
    request = Request(URL, meta=meta, headers={"Cookie": "a=b", "Accept-Language": "de"})
    answer = Response(URL, status=302, request=request)
    response = await FollowMiddleware(crawler).process_response(request, answer)
    [followed] = crawler.engine.asked
    assert followed.url == response.url == NEXT
    assert set(followed.meta) == {KEY, "download_maxsize"}
    assert state_of(followed) is not state_of(request)
    assert "Cookie" not in followed.headers and followed.headers["Accept-Language"] == b"de"


def keys_of(path: Path) -> set[str]:
    """Names that a module looks up or sets in the meta of requests and responses."""
    text = path.read_text("utf-8")
    tree = ast.parse(text if "scrapy" in text else "")
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    if "scrapy" not in imported:
        return set()
    looked_up = [
        (node.value, node.slice) if isinstance(node, ast.Subscript) else (node.func.value, node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args)
    ]
    return {
        key.value
        for place, key in looked_up
        if isinstance(place, ast.Attribute) and place.attr == "meta"
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def test_no_module_uses_a_meta_key_of_its_own():
    root = Path(__file__).parents[2]
    modules = [*(root / "research_crawler").rglob("*.py"), *(root / "pipelines").rglob("*.py")]
    used = {key for path in modules for key in keys_of(path)}
    assert used == SCRAPYS
