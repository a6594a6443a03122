"""The HTML export as the real browser shows it."""

import pytest
from playwright.async_api import async_playwright

from research_crawler.services.exports.renderers.html_page import html_document
from tests.browser import real_browser
from tests.services.exports.samples import manuscript_with


@pytest.mark.parametrize("width", [360, 760, 1280])
@pytest.mark.long
async def test_the_quotes_at_each_mark_are_shown_on_hover_and_on_focus_inside_of_the_window(width, tmp_path):
    (tmp_path / "report.html").write_text(html_document(manuscript_with("and more words " * 12)), "utf-8")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**real_browser().options)
        page = await browser.new_page(viewport={"width": width, "height": 700})
        complaints, requests = [], []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("request", lambda request: requests.append(request.url))
        await page.goto(f"file://{tmp_path}/report.html")
        marks = page.locator(".cite")
        assert await marks.count() >= 3
        for number in range(await marks.count()):
            note = marks.nth(number).locator(".note")
            assert not await note.is_visible()
            await marks.nth(number).locator("a").first.hover()
            box = await note.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["width"] > 200
            await page.mouse.move(0, 0)
        await marks.first.focus()
        assert await marks.first.locator(".note q").first.is_visible()
        await page.emulate_media(media="print")
        assert not await page.locator(".note").first.is_visible()
        await browser.close()
    assert complaints == []
    assert requests == [f"file://{tmp_path}/report.html"]


async def test_a_tap_shows_the_quotes_and_does_not_jump_and_their_head_leads_to_the_source(tmp_path):
    (tmp_path / "report.html").write_text(html_document(manuscript_with()), "utf-8")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**real_browser().options)
        page = await browser.new_page(**playwright.devices["Pixel 5"])
        await page.goto(f"file://{tmp_path}/report.html")
        mark = page.locator(".cite").first
        await mark.tap()
        assert await mark.locator(".note").is_visible()
        assert not page.url.endswith("#source-1")
        await mark.locator(".note a").tap()
        assert page.url.endswith("#source-1")
        await browser.close()
