"""A Redis that persists, as nodes demand it, and the local web, each once a session."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest

from research_crawler.demo.hazards import WebOptions
from research_crawler.demo.process import RunningWeb, local_web_process
from tests.crawler.crawl import Crawl
from tests.crawler.walls import Harbour


@pytest.fixture(scope="session")
def local_web() -> Iterator[RunningWeb]:
    """The local web with hazards that do not take long."""
    options = WebOptions(slow_s=0.5, hang_s=30, retry_after_s=1, huge_bytes=12_000_000, bomb_bytes=20_000_000)
    with local_web_process(options) as web:
        yield web


@pytest.fixture
def web(local_web: RunningWeb) -> RunningWeb:
    """The local web with an empty log."""
    local_web.clear_log()
    return local_web


@contextlib.contextmanager
def a_crawl(kept_redis: str, home: Path, **settings: Any) -> Iterator[Crawl]:
    crawl = Crawl(home, kept_redis, **settings)
    try:
        yield crawl
    finally:
        crawl.close()


@pytest.fixture
def crawl(kept_redis: str, tmp_path: Path, web: RunningWeb) -> Iterator[Crawl]:
    """An empty Redis and a data folder for nodes on the local web."""
    with a_crawl(kept_redis, tmp_path, searxng_url=web.search) as made:
        yield made


@pytest.fixture(scope="session")
def shared_node(
    kept_redis: str, local_web: RunningWeb, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Crawl]:
    """One ordinary node for all tests that ask nothing special of it: starting one takes seconds."""
    home = tmp_path_factory.mktemp("shared")
    with a_crawl(kept_redis, home, searxng_url=local_web.search) as made, made.node():
        yield made


@pytest.fixture
def running(shared_node: Crawl, web: RunningWeb) -> Crawl:
    """A new job on the shared node, whose stored pages are forgotten."""
    shared_node.new_job()
    shared_node.forget_pages()
    return shared_node


class Hostile:
    """A server on 127.0.61.1 to 127.0.61.9 that fails as a word of the query says."""

    def __init__(self) -> None:
        self.open = 0
        """Requests being answered."""
        hostile = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hostile.open += 1
                try:
                    hostile.answer(self, unquote_plus(self.path))
                except OSError:
                    pass
                finally:
                    hostile.open -= 1

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                self.path += "?" + body
                self.do_GET()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]

    def url(self, number: int) -> str:
        return f"http://{self.ip(number)}:{self.port}"

    @staticmethod
    def ip(number: int) -> str:
        return f"127.0.61.{number}"

    def answer(self, request: BaseHTTPRequestHandler, path: str) -> None:
        if path.startswith("/robots.txt"):
            return self.send(request, 404, b"")
        word = next((word for word in ANSWERS if word in path), "")
        if word == "slow":
            return self.wait_for_the_end(request)
        status, headers, body = ANSWERS.get(word, (404, {}, b""))
        if word == "loop":
            headers = {"Location": path.replace(" ", "+")}
        self.send(request, status, body, **headers)

    @staticmethod
    def wait_for_the_end(request: BaseHTTPRequestHandler) -> None:
        """Say nothing until the client goes away, at most a minute."""
        request.connection.settimeout(60)
        request.connection.recv(1)

    @staticmethod
    def send(request: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> None:
        request.send_response(status)
        for name, value in ({"Content-Length": str(len(body)), "Connection": "close"} | headers).items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)
        request.close_connection = True


CHALLENGE = (
    b"<html><body><form id='challenge-form' action='/anomaly.js'>Are you a person?</form></body></html>"
)
ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "http429": (429, {"Retry_After": "1"}, b"slower"),
    "http500": (500, {}, b"broken"),
    "empty": (200, {"Content_Type": "application/json"}, b""),
    "challenge": (202, {"Content_Type": "text/html"}, CHALLENGE),
    "slow": (200, {}, b""),
    "garbage": (200, {"Content_Type": "application/json"}, b'{"results": [{"url": 7}, null, {"'),
    "list": (200, {"Content_Type": "application/json"}, b'[1, {"query": {"search": 5}}]'),
    "cut": (200, {"Content_Type": "application/json", "Content_Length": "500"}, b'{"results": ['),
    "private": (302, {"Location": "http://10.0.0.1/search"}, b""),
    "loop": (302, {}, b""),
    "huge": (200, {"Content_Type": "application/json"}, b" " * 11_000_000),
}


@pytest.fixture(scope="session")
def hostile() -> Iterator[Hostile]:
    """A server for search providers that fail."""
    made = Hostile()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def harbour() -> Iterator[Harbour]:
    made = Harbour()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
