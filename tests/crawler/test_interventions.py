"""Walls that a person opens: whole nodes, the command, and a real browser in which a script acts as the person."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from tests.browser import real_browser
from tests.crawler.crawl import Crawl
from tests.crawler.walls import IP, Harbour, asked, free_port

pytestmark = pytest.mark.long


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
        assert [events[id_].outcome for id_ in ids] == ["ok", "ok"], events
        assert {events[id_].page.title for id_ in ids} == {"Tide tables"}
        crawl.forget_pages()
        stranger, known = crawl.push(
            crawl.visit(f"{harbour.url}/east"), crawl.visit(f"{harbour.url}/west", ask=True)
        )
        events = crawl.wait_for([stranger, known])
    assert (events[stranger].outcome, events[known].outcome) == ("blocked", "ok")
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
        assert crawl.wait_for([id_])[id_].outcome == "ok"
