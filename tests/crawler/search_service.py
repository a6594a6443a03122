"""A search service on loopback that keeps a record of its calls: when each began and ended, and for which query."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit


@dataclass
class SearchCall:
    """One call, in seconds of the monotonic clock."""

    path: str
    query: str
    begun_s: float
    ended_s: float = 0.0


@dataclass
class SearchService:
    """Answers as SearXNG (`/search`), MediaWiki (`/w/api.php`) and Brave (`/res/v1/…`), each call in `takes_s`."""

    base_url: str = ""
    takes_s: float = 0.05
    refusals: int = 0
    """How many of the next calls get 429 with Retry-After: 1."""
    broken: tuple[str, ...] = ()
    """Paths that answer 500."""
    calls: list[SearchCall] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, path: str, query: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of a call."""
        with self._lock:
            if self.refusals > 0:
                self.refusals -= 1
                return 429, {"Retry-After": "1"}, b"slower"
        if any(path.startswith(each) for each in self.broken):
            return 500, {}, b"broken"
        url, title = f"https://{len(query)}.example/{query.replace(' ', '-')}", f"about {query}"
        if path.startswith("/w/api.php"):
            found: object = {"query": {"pages": [{"index": 1, "title": title, "fullurl": url}]}}
        elif path.startswith("/res/v1"):
            found = {"type": "search", "web": {"results": [{"url": url, "title": title, "description": "x"}]}}
        else:
            found = {"query": query, "results": [{"url": url, "title": title, "content": "x"}]}
        return 200, {"Content-Type": "application/json"}, json.dumps(found).encode()

    def of(self, path: str) -> list[SearchCall]:
        """The calls whose path begins so, by when they began."""
        return sorted((one for one in self.calls if one.path.startswith(path)), key=lambda one: one.begun_s)

    def most_at_once(self, path: str = "/") -> int:
        """The largest number of calls that were answered at the same moment."""
        moments = sorted(
            (at, step) for one in self.of(path) for at, step in ((one.begun_s, 1), (one.ended_s, -1))
        )
        now = most = 0
        for _, step in moments:
            now += step
            most = max(most, now)
        return most

    def gaps_s(self, path: str = "/") -> list[float]:
        """The times from the end of each call to the beginning of the next."""
        calls = self.of(path)
        return [after.begun_s - before.ended_s for before, after in pairwise(calls)]


@contextmanager
def a_search_service(host: str) -> Iterator[SearchService]:
    """A service on a loopback address of its own."""
    service = SearchService()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            values = parse_qs(parts.query)
            query = next((values[name][0] for name in ("q", "gsrsearch", "srsearch") if name in values), "")
            call = SearchCall(parts.path, query, time.monotonic())
            if parts.path == "/robots.txt":
                status, headers, body = 404, dict[str, str](), b""
            else:
                service.calls.append(call)
                time.sleep(service.takes_s)
                status, headers, body = service.answer(parts.path, query)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body)), "Connection": "close"}.items():
                self.send_header(name, value)
            self.end_headers()
            call.ended_s = time.monotonic()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    with Server((host, 0), Handler) as server:
        service.base_url = f"http://{host}:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
