"""A real Scrapy engine on uvloop with guard and pinned handler; prints as JSON how each request ended."""

import asyncio
import gzip
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess

from research_crawler.core import crawler_services
from research_crawler.core.config import load_core_config
from research_crawler.core.web.addresses import AddressGuard
from research_crawler.handlers.failures import failure_reason
from tests.request_states import state_for

HANDLER = "research_crawler.handlers.pinned.PinnedDownloadHandler"
OPEN_HOST, CLOSED_HOST = "127.0.5.1", "127.9.9.9"
BOMB = gzip.compress(b"\0" * 20_000_000)
HEAD = b"HTTP/1.1 200 OK\r\n"
ANSWERS = {
    b"/page": HEAD + b"Content-Length: 5\r\n\r\nhello",
    b"/huge": HEAD + b"Content-Length: 50000000\r\n\r\nx",
    b"/cut": HEAD + b"Content-Length: 100\r\n\r\nhalf",
    b"/bomb": HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s" % (len(BOMB), BOMB),
}
seen = {}


async def answer(reader, writer):
    line = await reader.readline()
    path = line.split()[1]
    try:
        if path == b"/endless":
            writer.write(HEAD + b"Connection: close\r\n\r\n")
            while True:
                writer.write(b"x" * 65_536)
                await writer.drain()
        if path.startswith(b"/hang"):
            await asyncio.sleep(30)
        writer.write(ANSWERS.get(path, HEAD + b"\r\n"))
        await writer.drain()
    except (ConnectionError, asyncio.CancelledError):
        pass
    finally:
        writer.close()


class Visitor(Spider):
    name = "visitor"

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        guard = AddressGuard(allow_private=["127.0.0.0/16"], allowed_hosts=[], blocked_hosts=["127.0.0.1"])
        crawler_services.provide(
            crawler, crawler_services.FetchServices(config=load_core_config(), guard=guard)
        )
        return super().from_crawler(crawler, *args, **kwargs)

    async def start(self) -> AsyncIterator[Request]:
        self.servers = [await asyncio.start_server(answer, OPEN_HOST, 0)]
        port = self.servers[0].sockets[0].getsockname()[1]
        self.servers.append(await asyncio.start_server(answer, CLOSED_HOST, port))
        site = f"http://{OPEN_HOST}:{port}"
        yield self.visit("page", f"{site}/page")
        yield self.visit("private", f"http://{CLOSED_HOST}:{port}/page")
        yield self.visit("metadata", "http://169.254.169.254/latest/")
        yield self.visit("scheme", "ftp://example.com/")
        closed = f"http://{CLOSED_HOST}:{port}/page"
        yield self.visit("service", closed, **state_for(closed, service=True).meta)
        for name in ("huge", "endless", "cut", "bomb"):
            yield self.visit(name, f"{site}/{name}")
        yield self.visit("slow", f"{site}/hang?slow", download_timeout=0.3)
        yield self.visit("closed", f"http://{OPEN_HOST}:1024/")
        yield self.visit("cancelled", f"{site}/hang")
        await asyncio.sleep(1)
        seen["handlers"] = len({id(h) for h in self.crawler.engine.downloader.handlers._handlers.values()})
        for task in asyncio.all_tasks():
            if "_wait_for_download" in task.get_coro().__qualname__:
                task.cancel()

    def visit(self, name, url, **meta):
        meta["name"] = name
        return Request(url, self.parse, meta=meta, errback=self.note_failure, dont_filter=True)

    def parse(self, response):
        seen[response.meta["name"]] = f"{response.status} {response.text}"

    def note_failure(self, failure):
        seen[failure.request.meta["name"]] = failure_reason(failure.value)[0].text

    def closed(self, reason):
        seen["loop"] = (
            f"{type(asyncio.get_running_loop()).__module__}.{type(asyncio.get_running_loop()).__name__}"
        )
        for server in self.servers:
            server.close()


process = AsyncCrawlerProcess(
    {
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "DOWNLOAD_HANDLERS": {
            "http": HANDLER,
            "https": HANDLER,
            "ftp": None,
            "s3": None,
            "file": None,
            "data": None,
        },
        "DOWNLOADER_MIDDLEWARES": {"research_crawler.middlewares.address_guard.AddressGuardMiddleware": 100},
        "DOWNLOAD_MAXSIZE": 1_000_000,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR",
    }
)
process.crawl(Visitor)
process.start(install_signal_handlers=False)
sys.stdout.write(json.dumps(seen))
