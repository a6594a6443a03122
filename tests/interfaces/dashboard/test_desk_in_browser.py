"""Watches, batches and the memory in the real browser: by keyboard, and without scripts."""

from decimal import Decimal

import pytest
from playwright.async_api import async_playwright

from tests.browser import real_browser
from tests.interfaces.dashboard.desk_samples import sample_batch
from tests.interfaces.dashboard.test_pages import put, seen
from tests.interfaces.http.conftest import TOKEN

pytestmark = pytest.mark.long


@pytest.mark.parametrize("scripts", [True, False])
async def test_prices_and_cells_are_reached_by_keyboard_and_without_scripts(served, scripts):
    watch = (await served.post("/watches", {"query": "laptop", "every": "6h"}, 201))["id"]
    await put(served, [seen(n, Decimal(price), watch=watch) for n, price in enumerate(["800", "750"])])
    batch = await sample_batch(served)
    complaints: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**real_browser().options)
        context = await browser.new_context(
            java_script_enabled=scripts,
            viewport={"width": 390, "height": 800},
            timezone_id="America/New_York",
        )
        page = await context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        base = f"{str(served.client.base_url).rstrip('/')}/ui"
        await page.goto(f"{base}/sign-in")
        await page.locator("input[name=token]").fill(TOKEN)
        await page.keyboard.press("Enter")
        await page.wait_for_url(lambda url: "sign-in" not in url)
        await page.goto(f"{base}/watches/{watch}")
        point = page.get_by_role("img", name="$750.00")
        await point.focus()
        assert await point.locator(".tip").evaluate("tip => getComputedStyle(tip).visibility") == "visible"
        label, tip = await point.get_attribute("aria-label"), await point.locator(".tip").text_content()
        for told in (label, tip):  # of midnight of 2 January in UTC
            assert ("07:00 PM EST" in told and "Jan 1, 2026" in told) if scripts else "00:00 UTC" in told
        days = await page.locator(".axis text[text-anchor]").all_text_contents()
        assert any("Dec 31, 2025" in day for day in days) == scripts
        await page.goto(f"{base}/batches/{batch}")
        await page.get_by_role("link", name="€1,899.00").first.press("Enter")
        opened = page.get_by_role("dialog") if scripts else page.locator("main")
        await opened.get_by_text("another page says €1,999").wait_for()
        await opened.get_by_label("Value", exact=True).fill("1777")
        await opened.get_by_role("button", name="Keep this value").press("Enter")
        await page.get_by_role("link", name="€1,777.00").wait_for()
        await page.goto(f"{base}/memory")
        await page.get_by_role("searchbox").press_sequentially("heat pumps")
        if not scripts:
            await page.keyboard.press("Enter")
        await page.get_by_text("Nothing was found").wait_for()
        for path in (
            "/watches",
            "/watches/new",
            "/batches/new",
            "/memory",
            "/spend",
            "/system",
            "/interventions",
        ):
            await page.goto(f"{base}{path}")
            assert await page.evaluate("document.documentElement.scrollWidth") <= 390, path
        await browser.close()
    assert complaints == []
