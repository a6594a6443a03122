"""Prints HTML as PDF with the browser that is there. Nothing is loaded: no scripts, no network."""

from typing import Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Route, async_playwright

from research_crawler.adapters.browser import HOW_TO_INSTALL, find_browser
from research_crawler.core.config import Config
from research_crawler.core.errors import NoBrowser

PRINT_MS: Final = 60_000


async def print_pdf(html: str, config: Config) -> bytes:
    """Print a page that needs nothing from elsewhere, on A4, with bookmarks of its headings.

    Raises:
        NoBrowser: there is no browser, or it could not print.
    """
    browser = find_browser(config.changed(browser_headless=True))
    if browser is None:
        raise NoBrowser(f"a PDF is printed by a browser, and there is none; {HOW_TO_INSTALL}")
    try:
        async with async_playwright() as playwright:
            program = await playwright.chromium.launch(**browser.options)
            try:
                context = await program.new_context(
                    java_script_enabled=False, offline=True, service_workers="block", accept_downloads=False
                )
                await context.route("**/*", _refuse)
                page = await context.new_page()
                page.set_default_timeout(PRINT_MS)
                await page.set_content(html)
                return await page.pdf(
                    format="A4", print_background=True, prefer_css_page_size=True, tagged=True, outline=True
                )
            finally:
                await program.close()
    except PlaywrightError as error:
        first_line = str(error).strip().partition("\n")[0]
        raise NoBrowser(f"{browser.name} could not print the PDF: {first_line}") from error


async def _refuse(route: Route) -> None:
    await route.abort()
