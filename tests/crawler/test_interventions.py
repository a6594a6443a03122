"""Walls that a person opens: whole nodes, the command, and a real browser in which a script acts as the person."""

import asyncio
import contextlib
import http.cookies
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright
from redis.asyncio import Redis

from research_crawler.frontier.people import PersonQueue
from research_crawler.frontier.store import Frontier
from tests.browser import real_browser
from tests.crawler.crawl import Crawl

pytestmark = pytest.mark.long
IP = "127.0.62.1"
WALL = (
    "<!doctype html><html lang=en><head><title>Verify you are human</title></head><body>"
    "<h1>Are you a human?</h1><p>Please solve the puzzle below to go on to the page.</p>"
    "<form action=/check method=post><div class=h-captcha data-sitekey=1-f></div>"
    "<button>Continue</button></form></body></html>"
)
PAGE = (
    "<!doctype html><html lang=en><head><title>Tide tables of {path}</title></head><body><main><h1>Tide tables</h1>"
    + "<p>The harbour of {path} has high water twice a day, and the tables say when that is. " * 8
    + "</main></body></html>"
)


class Harbour:
    """A host that shows a CAPTCHA until a click on its page has set a cookie."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.at_once = self.most_at_once = 0
        harbour, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with lock:
                    harbour.at_once += 1
                    harbour.most_at_once = max(harbour.most_at_once, harbour.at_once)
                time.sleep(0.05)
                harbour.answer(self)
                with lock:
                    harbour.at_once -= 1

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.send_response(303)
                self.send_header("Set-Cookie", "human=yes; Path=/; HttpOnly; Max-Age=600")
                self.send_header("Location", "/north")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer((IP, 0), Handler)
        self.url = f"http://{IP}:{self.server.server_address[1]}"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        cookies = http.cookies.SimpleCookie(request.headers.get("Cookie", ""))
        is_known = "human" in cookies
        self.asked.append((request.path, "known" if is_known else "stranger"))
        if request.path in ("/robots.txt", "/favicon.ico"):
            request.send_error(404)
            return
        body = (PAGE.format(path=request.path) if is_known else WALL).encode()
        request.send_response(200 if is_known else 403)
        request.send_header("Content-Type", "text/html; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


@pytest.fixture
def harbour() -> Iterator[Harbour]:
    made = Harbour()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()


def research(crawl: Crawl, *arguments: str) -> "subprocess.Popen[str]":
    """The command, on the same Redis and data folder."""
    environment = os.environ | {
        "RESEARCH_HOME": str(crawl.home),
        "RESEARCH_REDIS_URL": crawl.redis_url,
        "RESEARCH_REDIS_PREFIX": crawl.prefix,
        "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
    }
    program = [sys.executable, "-m", "research_crawler.cli", "interventions", *arguments]
    return subprocess.Popen(
        program,
        env=environment,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def answer_of(crawl: Crawl, *arguments: str) -> Any:
    with research(crawl, *arguments, "--json") as process:
        out, errors = process.communicate(timeout=90)
    assert process.returncode == 0, errors
    return json.loads(out)


def asked(crawl: Crawl, pages: int) -> str:
    """The id of the only open intervention, once so many pages wait for it."""

    async def look(redis: Redis) -> str:
        frontier = Frontier(redis, prefix=crawl.prefix)
        people = PersonQueue(frontier)
        try:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                found = [one for one in await people.all() if one.state == "open"]
                if len(found) == 1 and len(await people.waiting(found[0].id)) == pages:
                    return found[0].id
                await asyncio.sleep(0.05)
            raise AssertionError(f"nobody was asked\n{crawl.logs()}")
        finally:
            await frontier.close()

    return crawl.run(look)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


async def solve(port: int, harbour: Harbour) -> None:
    """What a person does, by the developer tools of the window."""
    async with async_playwright() as playwright:
        for _ in range(300):
            with contextlib.suppress(PlaywrightError):
                browser = await playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
                break
            await asyncio.sleep(0.2)
        pages = [
            page for context in browser.contexts for page in context.pages if page.url.startswith(harbour.url)
        ]
        while not pages:
            await asyncio.sleep(0.2)
            pages = [
                page
                for context in browser.contexts
                for page in context.pages
                if page.url.startswith(harbour.url)
            ]
        page = pages[0]
        await page.get_by_role("button", name="Continue").click()
        await page.get_by_role("heading", name="Tide tables").wait_for()
        outside = await page.evaluate("fetch('http://169.254.169.254/').then(r => r.status, () => 0)")
        assert outside in (0, 403)
        await asyncio.sleep(1)  # a person looks at the page before closing it
        await page.close()


def test_a_person_opens_a_wall_and_the_pages_of_its_host_go_on_with_the_session(
    crawl: Crawl, harbour: Harbour
):
    real_browser()
    with crawl.node():
        ids = crawl.push(*(crawl.visit(f"{harbour.url}/{name}", ask=True) for name in ("north", "south")))
        one = asked(crawl, 2)
        assert crawl.leased() == {}
        assert not crawl.redis.keys(f"{crawl.prefix}fly:*")
        assert crawl.counts().problems == []
    # The node has ended: what waits for a person survives that.
    picture = crawl.home / "wall.jpg"
    shown = answer_of(crawl, "show", one, "--picture", str(picture))
    assert (shown["host"], shown["kind"], shown["pages_waiting"]) == (IP, "captcha", 2)
    assert picture.read_bytes()[:3] == b"\xff\xd8\xff"
    port = free_port()
    with research(crawl, "open", one, "--remote-debugging", str(port), "--json") as opening:
        asyncio.run(solve(port, harbour))
        out, errors = opening.communicate(timeout=60)
        assert opening.returncode == 0, errors
    assert json.loads(out) == {"id": one, "state": "done", "pages": 2}
    (kept,) = (crawl.home / "sessions").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    with crawl.node():
        events = crawl.wait_for(ids)
        assert [events[id_].what for id_ in ids] == ["ok", "ok"], events
        assert {events[id_].page.title for id_ in ids} == {"Tide tables"}
        crawl.forget_pages()
        stranger, known = crawl.push(
            crawl.visit(f"{harbour.url}/east"), crawl.visit(f"{harbour.url}/west", ask=True)
        )
        events = crawl.wait_for([stranger, known])
    assert (events[stranger].what, events[known].what) == ("blocked", "ok")
    assert ("/east", "known") not in harbour.asked
    assert harbour.most_at_once == 1, "the host saw more than one client at once"


def test_a_session_given_as_a_file_does_the_same_and_a_second_wall_after_it_is_asked_about_once_more(
    crawl: Crawl, harbour: Harbour, tmp_path: Path
):
    with crawl.node(browser="off"):
        (id_,) = crawl.push(crawl.visit(f"{harbour.url}/north", ask=True))
        one = asked(crawl, 1)
        assert answer_of(crawl, "done", one) == {"id": one, "state": "done", "pages": 1}
        two = asked(crawl, 1)
        assert two != one
        file = tmp_path / "state.json"
        cookie = {"name": "human", "value": "yes", "domain": IP, "path": "/", "expires": -1}
        file.write_text(json.dumps({"cookies": [cookie], "origins": []}))
        answer_of(crawl, "done", two, "--state", str(file))
        assert crawl.wait_for([id_])[id_].what == "ok"
