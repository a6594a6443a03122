"""The dashboard as the real browser shows it."""

import pytest
from playwright.async_api import async_playwright

from tests.browser import real_browser
from tests.interfaces.dashboard.test_pages import archived, put, seen
from tests.interfaces.http.conftest import TOKEN
from tests.interfaces.http.test_interventions import put_wall

pytestmark = pytest.mark.long


async def test_pages_follow_a_job_fit_a_phone_and_give_the_console_nothing_to_say(served):
    finished = await archived(served, "<script>alert(1)</script>")
    job = (await served.post("/jobs", {"goal": "How do <b>heat pumps</b> work?"}))["task_id"]
    watch = (await served.post("/watches", {"query": "laptop", "every": "6h"}, 201))["id"]
    wall = await put_wall(served, f"http://{'a-long-name-of-a-host.' * 3}example/{'path' * 40}", picture=b"")
    await put(served, [seen(n, price, watch=watch) for n, price in enumerate(["800", "750", "700.5"])])
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**real_browser().options)
        context = await browser.new_context(viewport={"width": 360, "height": 700}, color_scheme="dark")
        page = await context.new_page()
        page.set_default_timeout(20_000)
        complaints, requests = [], []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        base = str(served.client.base_url).rstrip("/")
        await page.goto(f"{base}/ui")
        field = page.locator("input[name=token]:focus")  # a page has its focus a moment after it is loaded
        await field.press_sequentially(TOKEN)
        await field.press("Enter")
        await page.get_by_role("link", name="How do <b>heat pumps</b> work?").click()
        await page.get_by_text("waits for a planner").first.wait_for()
        await served.step(job, "the first look")
        await page.locator("#timeline").get_by_text("the first look").wait_for()
        await page.get_by_role("button", name="Cancel the job").click()
        await page.locator("#state", has_text="cancelled").wait_for()
        for path in ("/jobs", f"/jobs/{job}", f"/jobs/{finished}/report", f"/jobs/{finished}/review",
                     f"/watches/{watch}", "/memory", "/batches", "/spend", "/interventions",
                     f"/interventions/{wall}"):  # fmt: skip
            await page.goto(f"{base}/ui{path}")
            assert await page.evaluate("document.documentElement.scrollWidth") <= 360, path
        await page.goto(f"{base}/ui/jobs/{finished}/evidence/E1")
        assert await page.locator("mark").inner_text() == "Heat moves from cold to warm."
        assert await page.evaluate("document.cookie") == ""
        await browser.close()
    assert complaints == []
    assert all(url.startswith((f"{base}/ui", "data:,")) for url in requests), requests
