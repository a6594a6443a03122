"""A whole node behind the proxy of a company network: robots.txt, pages and permits as ever."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from tests.handlers.forward_proxy import ForwardProxy, forward_proxy

pytestmark = pytest.mark.long


@pytest.fixture
def proxy() -> Iterator[ForwardProxy]:
    """A forward proxy on a loop of its own."""
    ready, loop = threading.Event(), asyncio.new_event_loop()
    found: list[ForwardProxy] = []
    ended = asyncio.Event()

    async def serve() -> None:
        async with forward_proxy(leads_to="", password="user:secret") as made:
            found.append(made)
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(10)
    yield found[0]
    loop.call_soon_threadsafe(ended.set)
    thread.join(10)
    loop.close()


def test_pages_and_robots_go_through_the_proxy_and_the_start_says_so(crawl, web, proxy):
    url = web.hosts["lore"] + "/ember-fern"
    with_password = proxy.url.replace("http://", "http://user:secret@")
    with crawl.node(proxy=with_password):
        [event] = crawl.fetch(url)
        refused, disallowed = crawl.fetch("http://10.0.0.1/", web.hazards["robots_disallowed"])
    assert (event.outcome, event.reason.text) == ("ok", "")
    assert (refused.outcome, refused.reason.text) == ("refused", "guard: private_address")
    assert (disallowed.outcome, disallowed.reason.text) == ("refused", "robots")
    asked = {target for _, target in proxy.asked}
    assert {url, url.replace("/ember-fern", "/robots.txt")} <= asked
    assert not any("10.0.0.1" in target for target in asked)
    assert "RESEARCH_PROXY http://user:***@" in crawl.logs()
    assert "secret" not in crawl.logs()
    crawl.check_empty()
