"""Prints HTML as PDF with the browser that is there. Nothing is loaded: no scripts, no network.

Requests are refused by the context. A browser also connects without a request (`<link rel=preconnect>`), so it knows
no host either, and sends what is left to a port at which nobody listens.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Playwright, Route, async_playwright

from research_crawler.adapters.browser_program import HOW_TO_INSTALL, BrowserProgram, find_browser
from research_crawler.core.config import Config
from research_crawler.core.errors import NoBrowser

PRINT_S: Final = 60.0
"""Longest time for one document. 1 MB of text (150 pages) took 7 s on a machine under load."""
_NO_HOSTS: Final = "--host-resolver-rules=MAP * ~NOTFOUND"


async def print_pdf(html: str, config: Config, *, most_s: float = PRINT_S) -> bytes:
    """Print a page that needs nothing from elsewhere, on A4, with bookmarks of its headings.

    Raises:
        NoBrowser: there is no browser, or it could not print within `most_s` seconds.
    """
    browser = find_browser(config.changed(browser_headless=True))
    if browser is None:
        raise NoBrowser(f"a PDF is printed by a browser, and there is none; {HOW_TO_INSTALL}")
    try:
        # Playwright has no limit for printing itself.
        async with async_playwright() as playwright, asyncio.timeout(most_s):
            return await _printed(html, playwright, browser)
    except TimeoutError as error:
        raise NoBrowser(
            f"{browser.name} did not print the PDF within {most_s:g} s; export the report as HTML and print that"
        ) from error
    except PlaywrightError as error:
        first_line = str(error).strip().partition("\n")[0]
        raise NoBrowser(f"{browser.name} could not print the PDF: {first_line}") from error


async def _printed(html: str, playwright: Playwright, browser: BrowserProgram) -> bytes:
    with _closed_port() as port:
        options = browser.options | {
            "args": [*browser.options["args"], _NO_HOSTS],  # the last one of two flags counts
            "proxy": {"server": f"http://127.0.0.1:{port}", "bypass": "<-loopback>"},
        }
        program = await playwright.chromium.launch(**options)
        try:
            context = await program.new_context(
                java_script_enabled=False, offline=True, service_workers="block", accept_downloads=False
            )
            await context.route("**/*", _refuse)
            page = await context.new_page()
            page.set_default_timeout(PRINT_S * 1000)
            await page.set_content(html)
            return await page.pdf(
                format="A4", print_background=True, prefer_css_page_size=True, tagged=True, outline=True
            )
        finally:
            await program.close()


@contextmanager
def _closed_port() -> Iterator[int]:
    """A port of this machine that nobody can listen at meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


async def _refuse(route: Route) -> None:
    # Any other refusal of `<meta http-equiv=refresh>` puts the browser's error page in the document's place.
    await route.abort("aborted")
