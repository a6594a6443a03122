"""The desk of the compose file, run as a plain process: a person opens a wall on its screen, through noVNC."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from tests.browser import real_browser
from tests.crawler.crawl import Crawl
from tests.crawler.walls import Harbour, asked, free_port

pytestmark = pytest.mark.long
DESK = Path(__file__).parents[2] / "docker" / "desk.sh"
PROGRAMS = ("Xvfb", "x11vnc", "websockify", "matchbox-window-manager")
PASSWORD = "tide-1743"
TITLE_BAR = 8
"""Height in pixels of the middle of the window's title bar, where its button to close is."""


@contextmanager
def desk(crawl: Crawl, folder: Path) -> Iterator[int]:
    """The port of the desk's page, while the desk is running."""
    password = folder / "desk_password"
    password.write_text(f"{PASSWORD}\n")
    port = free_port()
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DESK_PASSWORD_FILE": str(password),
        "DESK_PORT": str(port),
        "DESK_VNC_PORT": str(free_port()),
        "DESK_SCREEN": str(100 + os.getpid() % 10_000),
        "RESEARCH_HOME": str(crawl.home),
        "RESEARCH_REDIS_URL": crawl.redis_url,
        "RESEARCH_REDIS_PREFIX": crawl.prefix,
        "RESEARCH_ALLOW_PRIVATE_HOSTS": "127.0.0.0/8",
    }
    command = ["sh", str(DESK), "interventions", "open", "--wait"]
    with (folder / "desk.log").open("w") as log, subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    ) as process:  # fmt: skip
        try:
            yield port
        finally:
            os.killpg(process.pid, signal.SIGTERM)


async def on_screen(port: int, harbour: Harbour, options: Mapping[str, Any]) -> None:
    """What a person does in a browser elsewhere: log in, press the wall's button, close the window."""
    async with asyncio.timeout(90), async_playwright() as playwright:
        browser = await playwright.chromium.launch(**options)
        page = await browser.new_page(viewport={"width": 1280, "height": 900})
        await _logged_in(page, port)
        canvas = page.locator("#noVNC_container canvas")
        await canvas.wait_for()
        box = await canvas.bounding_box()
        assert box is not None
        while not harbour.is_solved:
            await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8)
            await page.keyboard.press("Tab")
            await page.keyboard.press("Enter")
            await asyncio.sleep(1)
        await asyncio.sleep(2)  # a person looks at the page before closing it
        await page.mouse.click(box["x"] + box["width"] - TITLE_BAR, box["y"] + TITLE_BAR)
        await browser.close()


async def _logged_in(page: Page, port: int) -> None:
    for _ in range(100):
        try:
            await page.goto(f"http://127.0.0.1:{port}/vnc.html?autoconnect=true&reconnect=true")
            break
        except Exception:
            await asyncio.sleep(0.2)
    await page.locator("#noVNC_password_input").fill(PASSWORD)
    await page.keyboard.press("Enter")


def test_a_person_opens_a_wall_on_the_screen_of_the_desk(crawl: Crawl, harbour: Harbour, tmp_path: Path):
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing or not Path("/usr/share/novnc/vnc.html").is_file():
        pytest.skip(f"the desk's programs are not on this machine: {', '.join(missing) or 'novnc'}")
    options = real_browser().options
    with crawl.node(browser="off"):
        (id_,) = crawl.push(crawl.visit(f"{harbour.url}/north", ask=True))
        asked(crawl, 1)
        with desk(crawl, tmp_path) as port:
            asyncio.run(on_screen(port, harbour, options))
            event = crawl.wait_for([id_])[id_]
    assert event.outcome == "ok", (tmp_path / "desk.log").read_text()
    assert ("/north", "known") in harbour.asked
