"""Stock Scrapy spiders on a node: their requests wait in the frontier, their items reach archive and vectors."""

import asyncio
import json
import subprocess
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from research_crawler.adapters.in_memory.memory_embedder import HashEmbedder
from research_crawler.adapters.in_memory.vector_index import MemoryIndex
from research_crawler.adapters.redis.redis_outbox import RedisOutbox
from research_crawler.adapters.sql.sql_archive import SqlArchive
from research_crawler.background.index_writer import IndexWriter
from research_crawler.background.indexer import Indexer
from research_crawler.core.config import load_core_config
from tests.crawler.conftest import a_crawl
from tests.crawler.example_project import Project, no_indexer
from tests.crawler.stock_spiders import EVERY_REQUEST, ITEMS, RUN_ALL

pytestmark = pytest.mark.long

GOAL = "how tall is the ember fern and where does it grow"
KINDS = ("of_dicts", "of_dataclasses", "of_attrs", "of_pydantic")


@pytest.fixture(scope="module")
def told(kept_redis, local_web, tmp_path_factory):
    """What the items were after the pipelines, and what is counted, of one run of all these spiders."""
    home = tmp_path_factory.mktemp("items")
    with a_crawl(kept_redis, home) as crawl:
        project = Project(home / "project", crawl, stock=ITEMS)
        settings = project.folder / "example" / "settings.py"
        settings.write_text(
            settings.read_text() + f"\nREDIS_URL = {kept_redis!r}\nITEM_PIPELINES = {{}}\n", encoding="utf-8"
        )
        with no_indexer(crawl):
            done = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    RUN_ALL,
                    local_web.hosts["lore"] + "/ember-fern",
                    GOAL,
                    *KINDS,
                    "incomplete",
                ],
                cwd=project.folder,
                env=project.environment(),
                capture_output=True,
                text=True,
                timeout=110,
                check=False,
            )
        assert done.returncode == 0, done.stderr[-5000:]
        crawl.run(lambda redis: index(redis, crawl))
        yield json.loads(done.stdout) | {"log": done.stderr, "home": home}


async def index(redis, crawl):
    """Carry what the run has left in the outbox into the archive, as an indexer does."""
    archive = SqlArchive(load_core_config(home=crawl.home))
    await archive.open()
    try:
        outbox = RedisOutbox(redis, prefix=crawl.prefix)
        vectors = IndexWriter(outbox, archive, MemoryIndex(), embedder=HashEmbedder())
        await Indexer(outbox, archive, MemoryIndex(), embedder=HashEmbedder()).index_some(block_ms=10)
        await vectors.catch_up()
    finally:
        await archive.close()


def archived(told):
    """Findings with their vectors, and the pages that they are quoted from."""

    async def read():
        archive = SqlArchive(load_core_config(home=told["home"]))
        await archive.open()
        try:
            found = [(finding, vector) async for finding, vector in await archive.vectors()]
            pages = {finding.page_sha256: await archive.get_page(finding.page_sha256) for finding, _ in found}
            return found, pages
        finally:
            await archive.close()

    return asyncio.run(read())


@pytest.mark.parametrize("kind", KINDS)
def test_an_item_of_each_kind_gives_its_page_to_extraction(told, kind):
    [item] = told[kind]
    assert item["url"].endswith("/ember-fern")
    assert told[f"{kind} stats"] == {"research/items/read": 1}


@pytest.mark.parametrize("kind", ["of_dicts", "of_dataclasses", "of_pydantic"])
def test_findings_stand_in_the_item_that_has_a_field_for_them(told, kind):
    [item] = told[kind]
    assert item["findings"]
    assert {finding["url"] for finding in item["findings"]} == {item["url"]}


def test_findings_of_items_are_archived_with_vectors_and_quoted_from_the_stored_page(told):
    found, pages = archived(told)
    assert len({finding.command for finding, _ in found}) == len(KINDS)
    for finding, vector in found:
        page = pages[finding.page_sha256].page
        assert page.markdown[finding.start : finding.end] == finding.quote
        assert len(vector) == 384
    named = {pages[finding.page_sha256].page.title for finding, _ in found}
    assert "Named by its spider" in named or told["of_attrs"][0]["page_sha256"] in pages


def test_an_item_without_a_page_is_passed_on_counted_and_told_once(told):
    assert len(told["incomplete"]) == 3
    assert told["incomplete stats"] == {
        "research/items/not_read": 3,
        "research/items/not_read/no_url": 1,
        "research/items/not_read/no_content": 1,
        "research/items/not_read/bad_content": 1,
    }
    assert "the item has none of `html`, `body` and `text`" in told["log"]


class Echo:
    """A site at 127.0.62.1 that says what it was asked."""

    def __init__(self):
        echo, self.asked = self, []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                echo.asked.append((self.command, self.path))
                echo.answer(self, body)

            do_POST = do_GET  # noqa: N815  # the base class's names

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.62.1", 0), Handler)
        self.base = f"http://127.0.62.1:{self.server.server_address[1]}"

    def answer(self, request, body):
        path, times = request.path, sum(path == request.path for _, path in self.asked)
        headers = {"Content-Type": "application/json"}
        status, said = 200, {"method": request.command, "body": body, "cookie": request.headers.get("Cookie")}
        if path == "/robots.txt":
            headers, said = {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /secret\n"
        elif path in ("/moved", "/kept"):
            status, headers = 302 if path == "/moved" else 307, {"Location": f"{path}-here"}
        elif path == "/flaky" and times == 1:
            status, headers = 503, {"Retry-After": "1"}
        elif path.startswith("/gone"):
            status = 404
        data = (said if isinstance(said, str) else json.dumps(said)).encode()
        request.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(data))}).items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(data)


@pytest.fixture(scope="module")
def ran(kept_redis, tmp_path_factory):
    """What came of one run of the spider that yields requests of every kind."""
    echo = Echo()
    threading.Thread(target=echo.server.serve_forever, daemon=True).start()
    home = tmp_path_factory.mktemp("every")
    with a_crawl(kept_redis, home) as crawl:
        project = Project(home / "project", crawl, every=EVERY_REQUEST)
        out = home / "items.jsonl"
        code = project.run(
            "every", "-a", f"base={echo.base}", "-O", f"{out}", ITEM_PIPELINES="{}", SCHEDULER_PERSIST="0"
        )
        echo.server.shutdown()
        echo.server.server_close()
        assert code == 0, crawl.logs()
        items = [json.loads(line) for line in out.read_text().splitlines()]
        crawl.check_empty()
        assert not crawl.redis.exists(f"{crawl.prefix}dupes:own.every"), "a finished crawl may begin anew"
        yield {"items": items, "asked": Counter(echo.asked), "log": crawl.logs()}


def of(ran, what):
    return [item for item in ran["items"] if item["what"] == what]


def test_meta_comes_to_the_callback_as_the_spider_gave_it(ran):
    [item] = of(ran, "meta")
    assert item["meta"] == {
        "page": 7,
        "task": "mine",
        "deep": {"a": [1, None]},
        "is_start_request": True,
        "depth": 0,
    }


def test_callbacks_by_name_their_arguments_and_bodies_survive_redis(ran):
    assert of(ran, "kept") == [{"what": "kept", "path": "/get"}]
    said = [item["said"] for item in of(ran, "echo")]
    assert {"method": "POST", "body": "q=x+y", "cookie": None} in said
    assert {"method": "GET", "body": "", "cookie": "a=b"} in said


def test_a_request_is_made_once_unless_it_asks_not_to_be_filtered(ran):
    assert ran["asked"]["GET", "/get"] == 1
    assert ran["asked"]["GET", "/again"] == 2
    assert of(ran, "a") and of(ran, "b") and not of(ran, "twice")


def test_redirects_are_followed_and_a_307_keeps_method_and_body(ran):
    assert of(ran, "moved") == [{"what": "moved", "path": "/moved-here"}]
    assert {"method": "POST", "body": "q=kept", "cookie": None} in [item["said"] for item in of(ran, "echo")]


def test_a_host_that_is_out_of_order_is_tried_again(ran):
    assert of(ran, "flaky") == [{"what": "flaky", "path": "/flaky"}]
    assert ran["asked"]["GET", "/flaky"] == 2


def test_errbacks_hear_of_errors_of_robots_and_of_the_guard_and_their_requests_are_made(ran):
    errors = " ".join(item["error"] for item in of(ran, "failed"))
    assert "HttpError" in errors and "robots" in errors and "guard" in errors
    assert {item["path"] for item in of(ran, "after")} == {"/after-gone", "/after-cret", "/after-vate"}
    assert ran["asked"]["GET", "/secret"] == 0


def test_other_sites_than_the_allowed_ones_are_left_out(ran):
    assert "Filtered offsite request to '127.0.62.9'" in ran["log"]


def test_what_is_not_json_is_refused_with_a_reason_and_the_rest_goes_on(ran):
    assert "is not an instance method" in ran["log"]
    assert "is a EveryRequest; requests wait in Redis as JSON" in ran["log"]
    assert not ran["asked"]["GET", "/lambda"] and not ran["asked"]["GET", "/object"]


def test_what_a_callback_made_before_it_raised_counts(ran):
    assert of(ran, "before it raised") and of(ran, "before")


def test_a_download_without_a_lease_is_refused(ran):
    [item] = of(ran, "inline")
    assert "no_lease" in item["error"]
    assert not ran["asked"]["GET", "/not-leased"]


def test_a_meta_key_of_the_downloader_switches_nothing_off(ran):
    assert of(ran, "s") == [{"what": "s", "path": "/service"}]
    assert ran["asked"]["GET", "/robots.txt"] == 1
