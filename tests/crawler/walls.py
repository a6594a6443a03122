"""A host whose pages stand behind a wall that a person opens, and what waits for that person."""

import asyncio
import http.cookies
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from redis.asyncio import Redis

from research_crawler.frontier.person_queue import PersonQueue
from research_crawler.frontier.store import Frontier
from tests.crawler.crawl import Crawl

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

    def __init__(self, page: str = PAGE) -> None:
        """`page` is what it has behind the wall; `{path}` in it is the page's path."""
        self.page = page
        self.asked: list[tuple[str, str]] = []
        self.is_solved = False
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
                harbour.is_solved = True
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
        body = (self.page.format(path=request.path) if is_known else WALL).encode()
        request.send_response(200 if is_known else 403)
        request.send_header("Content-Type", "text/html; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


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
