"""Cookies through whole nodes: a command's own, for its site, also when it is put back between two hops."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytestmark = pytest.mark.long

FIRST, OTHER = "127.0.41.1", "127.0.41.2"


class Site(BaseHTTPRequestHandler):
    """/start sets a cookie and goes to /end, /away sets one and goes to another host; notes what is sent."""

    seen: list[tuple[str, str, str | None, str | None]]
    port = 0

    def do_GET(self) -> None:
        host = (self.headers["Host"] or "").split(":")[0]
        self.seen.append((host, self.path, self.headers["Cookie"], self.headers["Referer"]))
        to = {"/start": "/end", "/away": f"http://{OTHER}:{self.port}/end"}.get(self.path)
        body = (
            b""
            if to or "robots" in self.path
            else b"<p>Grass is green, as everybody can see outside.</p>" * 5
        )
        self.send_response(302 if to else 404 if "robots" in self.path else 200)
        if to:
            self.send_header("Location", to)
        if "robots" not in self.path:
            self.send_header("Set-Cookie", f"visit={self.path[1:]}; Path=/")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[type[Site]]:
    made = type("SiteOfThisTest", (Site,), {"seen": []})
    first = ThreadingHTTPServer((FIRST, 0), made)
    made.port = first.server_port
    servers = [first, ThreadingHTTPServer((OTHER, made.port), made)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield made
    for server in servers:
        server.shutdown()
        server.server_close()


def requests_of(site, path):
    return [(host, cookie, referer) for host, asked, cookie, referer in site.seen if asked == path]


@pytest.mark.parametrize("delay_s", [0.05, 3.0], ids=["at once", "put back between the hops"])
def test_a_redirect_gets_the_cookie_that_it_set_and_robots_and_later_commands_do_not(crawl, site, delay_s):
    with crawl.node(phase1_visit_delay_seconds=delay_s):
        [event] = crawl.fetch(f"http://{FIRST}:{site.port}/start")
        assert (event.outcome, event.reason.text) == ("ok", "")
        crawl.new_job()
        [later] = crawl.fetch(f"http://{FIRST}:{site.port}/end", max_age_s=0)
        assert later.outcome == "ok"
    assert requests_of(site, "/end") == [(FIRST, "visit=start", None), (FIRST, None, None)]
    assert {cookie for _, path, cookie, _ in site.seen if path != "/end"} == {None}


def test_no_cookie_and_no_referer_reaches_another_host(crawl, site):
    with crawl.node():
        [event] = crawl.fetch(f"http://{FIRST}:{site.port}/away")
        assert event.outcome == "ok"
    assert requests_of(site, "/end") == [(OTHER, None, None)]
