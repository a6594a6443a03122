"""Watches, batches and the memory in the real browser: by keyboard, and without scripts."""

import os
import re
import time
from decimal import Decimal

import pytest
from playwright.async_api import async_playwright

from research_crawler.adapters.sql.stores.batch_store import SqlBatches
from research_crawler.core.models.jobs.batches import RowResult
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.services.batches.row_choice import MOST_LOOKED_AT
from tests.browser import real_browser
from tests.interfaces.dashboard.desk_samples import missing, price, sample_batch
from tests.interfaces.dashboard.test_in_browser import put_spent, signed_in
from tests.interfaces.dashboard.test_pages import put, seen
from tests.interfaces.http.conftest import TOKEN

pytestmark = pytest.mark.long
SLOW_S = 5.0
"""A page of 5,000 rows takes a third of a second of the processor, several times that on one that is shared, and
minutes where the work for a row grows with the number of rows."""


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
        if scripts:
            await opened.get_by_label("Value", exact=True).fill("four")
            await opened.get_by_label("Where it is from").fill("their shop")
            await opened.get_by_role("button", name="Keep this value").press("Enter")
            await opened.get_by_role("alert").wait_for()
            assert await opened.get_by_label("Where it is from").input_value() == "their shop"
        await opened.get_by_label("Value", exact=True).fill("1777")
        await opened.get_by_role("button", name="Keep this value").press("Enter")
        await page.get_by_role("link", name="€1,777.00").wait_for()
        await page.get_by_label("Words of a row").fill("t")
        await page.keyboard.press("Enter")
        await page.get_by_role("row", name="Kessa Mini").wait_for(state="detached")
        # On a phone a menu sorts, and no head is shown.
        await page.set_viewport_size({"width": 1100, "height": 800})
        for way in ("ascending", "descending"):
            await page.get_by_role("columnheader", name="price").get_by_role("link").press("Enter")
            await page.locator(f"th[aria-sort={way}]", has_text="price").wait_for()
        prices = await page.locator("tbody tr td.cell:nth-of-type(3)").all_inner_texts()
        assert [text.split()[0] for text in prices] == ["€1,899.00", "€1,777.00", "not"]
        assert await page.get_by_label("Words of a row").input_value() == "t"
        await page.set_viewport_size({"width": 390, "height": 800})
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


async def test_on_a_phone_a_row_is_a_card_with_its_values_in_sight_and_a_chart_is_seen_whole(served):
    watch = (
        await served.post(
            "/watches", {"urls": ["https://a.example/kettle"], "every": "5m", "below": "300"}, 201
        )
    )["id"]
    start_ms, prices = 1_764_331_380_000, ["320", "320", "280"]
    await put(
        served,
        [
            seen(n, Decimal(price), watch=watch).changed(at_ms=start_ms + n * 60_000, currency="EUR")
            for n, price in enumerate(prices)
        ],
    )
    batch = await sample_batch(served)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**real_browser().options)
        page = await browser.new_page(viewport={"width": 390, "height": 900}, timezone_id="Asia/Kolkata")
        base = f"{str(served.client.base_url).rstrip('/')}/ui"
        await page.goto(f"{base}/sign-in")
        await page.locator("input[name=token]").fill(TOKEN)
        await page.keyboard.press("Enter")
        await page.wait_for_url(lambda url: "sign-in" not in url)
        await page.goto(f"{base}/batches/{batch}")
        cells = page.locator("#row-1 td:visible")
        for n in range(await cells.count()):
            box = await cells.nth(n).bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
        card = await page.locator("#row-1").inner_text()
        assert "€1,899.00" in card
        name, price_cell = page.locator("#row-1 .name"), page.locator("#row-1 .cell").first
        [above, below] = [await one.evaluate("one => one.offsetTop") for one in (name, price_cell)]
        assert above < below
        assert await page.locator("#row-1").evaluate("row => row.offsetHeight") < 260
        menu = page.locator("details.sort-menu")
        assert await menu.evaluate("menu => menu.offsetHeight") < 60
        assert not await page.locator("thead.sorting").is_visible()
        await menu.locator("summary").press("Enter")
        listed = await menu.locator("ul").bounding_box()
        assert listed and listed["x"] >= 0 and listed["x"] + listed["width"] <= 390
        await menu.get_by_role("link", name="price").press("Enter")
        await menu.locator("summary", has_text="price").wait_for()
        assert await page.locator("th[aria-sort=ascending]", has_text="price").count() == 1
        await page.goto(f"{base}/watches/{watch}")
        chart = page.locator(".chart svg:visible")
        assert await chart.count() == 1
        labels = await chart.locator(".axis text").evaluate_all(
            "texts => texts.map(text => text.getBoundingClientRect().toJSON())"
        )
        for n, one in enumerate(labels):
            assert one["left"] >= 0 and one["right"] <= 390 and one["height"] >= 11
            for other in labels[:n]:
                apart = one["left"] >= other["right"] or other["left"] >= one["right"]
                assert apart or one["top"] >= other["bottom"] or other["top"] >= one["bottom"]
        newest = await chart.locator(".point").last.bounding_box()
        assert newest and newest["x"] + newest["width"] <= 390
        assert await chart.locator(".limit").count() == 1
        if folder := os.environ.get("SHOTS"):
            await page.screenshot(path=f"{folder}/watch390.png", full_page=True)
            await page.goto(f"{base}/batches/{batch}")
            await page.screenshot(path=f"{folder}/batch390.png", full_page=True)
            await page.set_viewport_size({"width": 1280, "height": 900})
            await page.goto(f"{base}/watches/{watch}")
            await page.screenshot(path=f"{folder}/watch1280.png", full_page=True)
        await browser.close()


@pytest.mark.parametrize("days", [1, 60])
async def test_the_chart_of_what_was_spent_is_read_at_every_width_with_small_signs_of_its_models(
    served, days
):
    for ago in range(0, days, 3):
        await put_spent(served, {"org/large": 120_000, "small": 3_000}, days_ago=ago)
    for width in (1280, 390):
        async with signed_in(served, viewport={"width": width, "height": 844}) as shown:
            page = shown.page
            await shown.go("/spend")
            for sign in await page.locator("svg.swatch").all():
                assert (await sign.bounding_box())["width"] < 20
            drawn = page.locator("figure.chart > svg:visible")
            chart = await drawn.bounding_box()
            units = await drawn.evaluate("svg => svg.viewBox.baseVal.width")
            words = await drawn.locator("text").evaluate_all(
                "texts => texts.map(text => text.getBoundingClientRect().toJSON())"
            )
            for n, one in enumerate(words):
                assert one["left"] >= 0 and one["right"] <= min(width, chart["x"] + chart["width"] + 1)
                for other in words[:n]:
                    apart = one["left"] >= other["right"] or other["left"] >= one["right"]
                    assert apart or one["top"] >= other["bottom"] or other["top"] >= one["bottom"]
            assert await drawn.locator(".bar rect").count() == 3 * len(range(0, days, 3))
            assert await page.get_by_text("Earlier days").count() == (days > 1)
            if folder := os.environ.get("SHOTS"):
                await page.screenshot(path=f"{folder}/spend{days}-{width}.png", full_page=True)
            assert 12 * chart["width"] / units >= 11, "its words can be read"
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            shown.check()


async def test_five_thousand_rows_are_sorted_and_searched_in_time_in_proportion_to_them(visitor):
    served = visitor.served
    store, batch = SqlBatches(served.runtime.container.archive), await sample_batch(served)
    rows = [{"name": f"bike {n}"} for n in range(MOST_LOOKED_AT)]
    made = (await store.get(batch)).batch.changed(id="manyrows0001", name="many", rows=len(rows))
    await store.add(made, rows)
    ended = [
        (row, "partly", RowResult(values=[price().changed(value=float(row.n * 7 % len(rows))), missing()]))
        for row in await store.claim(made.id, len(rows))
    ]
    await store.settle(ended, now_ms=1)
    for query in ("", "sort=column:price&falling=true", "q=4999", "sure=high", "sort=confidence&after=4900"):
        begun = time.process_time()
        page = await visitor.page(f"/batches/{made.id}?{query}")
        assert time.process_time() - begun < SLOW_S, query
        assert len(page) < 100_000 and "only the first" not in page
    page = await visitor.page(f"/batches/{made.id}?sort=column:price&falling=true")
    assert re.findall(r"€([\d,.]+)</a>", page)[:2] == ["4,999.00", "4,998.00"]


async def test_the_columns_of_a_table_are_put_into_the_question_where_its_caret_stands(served):
    async with signed_in(served) as shown:
        page = shown.page
        await shown.go("/batches/new")
        await page.get_by_label("or paste it").fill("product;Shop\nTarn 300;A\nAlder;B")
        await page.get_by_role("button", name="Go on").click()
        question = page.get_by_label("The question, with columns")
        await page.get_by_role("button", name="{Shop}").press("Enter")
        assert await question.input_value() == "{product} {Shop}"
        await question.fill("What does  cost?")
        await question.evaluate("box => box.setSelectionRange(10, 10)")
        await page.get_by_role("button", name="{product}").click()
        assert await question.input_value() == "What does {product} cost?"
        assert await question.evaluate("box => box === document.activeElement && box.selectionEnd") == 19
        shown.check()


@pytest.mark.parametrize("scripts", [True, False])
async def test_rows_are_chosen_at_once_with_scripts_and_by_a_button_without(served, scripts):
    batch = await sample_batch(served)
    async with signed_in(served, java_script_enabled=scripts) as shown:
        page = shown.page
        await shown.go(f"/batches/{batch}?sort=column:price")
        show = page.get_by_role("button", name="Show", exact=True)
        assert await show.is_visible() != scripts
        await page.get_by_label("State").focus()
        await page.get_by_label("State").select_option("done")
        if not scripts:
            await show.press("Enter")
        await page.get_by_role("row", name="Alder Nova").wait_for(state="detached")
        assert await page.locator("tbody tr").count() == 1
        assert "sort=column%3Aprice" in page.url
        if scripts:
            assert await page.evaluate("document.activeElement.id") == "state"
            await page.get_by_label("Words of a row").press_sequentially("nova")
            await page.get_by_text("No row is like that.").wait_for()
            await page.go_back()
            await page.get_by_role("row", name="Tarn 300").wait_for()
        shown.check()


async def test_the_focus_stays_where_it_was_when_a_table_is_sorted_and_a_cell_is_corrected(served):
    batch = await sample_batch(served)
    focused = "document.activeElement.textContent"
    async with signed_in(served) as shown:
        page = shown.page
        await shown.go(f"/batches/{batch}")
        for way in ("ascending", "descending", "ascending"):
            await page.get_by_role("columnheader", name="price").get_by_role("link").press("Enter")
            await page.locator(f"th[aria-sort={way}]", has_text="price").wait_for()
            assert await page.evaluate(focused) == "price"
        await page.get_by_role("link", name="€1,899.00").first.press("Enter")
        await page.get_by_role("dialog").get_by_label("Value", exact=True).fill("1777")
        await page.get_by_role("dialog").get_by_role("button", name="Keep this value").press("Enter")
        await page.get_by_role("link", name="€1,777.00").wait_for()
        await page.wait_for_function(f"{focused} === '€1,777.00'")
        shown.check()


@pytest.mark.parametrize("scripts", [True, False])
async def test_on_a_phone_the_pages_are_one_button_in_one_row_that_opens_by_keyboard(served, scripts):
    phone = {"viewport": {"width": 390, "height": 844}, "java_script_enabled": scripts, "locale": "de-DE"}
    async with signed_in(served, **phone) as shown:
        page = shown.page
        bar = await page.locator("header.bar").bounding_box()
        assert bar and bar["height"] < 60
        links = page.get_by_role("navigation", name="Bereiche").get_by_role("link")
        assert await links.count() == 0
        await page.locator("summary", has_text="Menü").press("Enter")
        assert await links.count() == 8
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390
        await page.keyboard.press("Tab")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/jobs")
        await page.set_viewport_size({"width": 1280, "height": 844})
        assert await links.count() == 8
        assert not await page.locator("summary", has_text="Menü").is_visible()
        shown.check()


@pytest.mark.parametrize("scripts", [True, False])
async def test_a_quote_far_down_in_its_page_is_in_view_where_a_cell_is_shown_in_it(served, scripts):
    batch = await sample_batch(served)
    store = SqlBatches(served.runtime.container.archive)
    quote = "It costs €1,899 new."
    before = "\n\n".join(f"Paragraph {n} of a bicycle test that tells of other things." for n in range(40))
    markdown = f"# Bikes\n\n{before}\n\n{quote}\n\nThe end."
    text = PageText(markdown=markdown, text=markdown, title="Bikes", language="en")
    url = "https://a.example/x"
    await served.runtime.container.archive.put_page(
        StoredPage(sha="cd" * 32, url=url, final_url=url, page=text), None
    )
    start = markdown.index(quote)
    value = price().changed(quote=quote, start=start, end=start + len(quote), page_sha256="cd" * 32)
    [row] = await store.claim(batch, 1)
    await store.settle([(row, "done", RowResult(values=[value, missing()], confidence=0.9))], now_ms=2)
    async with signed_in(
        served, viewport={"width": 390, "height": 800}, java_script_enabled=scripts
    ) as shown:
        await shown.go(f"/batches/{batch}/rows/{row.n}/price")
        stored = shown.page.locator(".stored")
        assert not await stored.is_visible()
        await shown.page.get_by_role("link", name="Show it in its page").press("Enter")
        await stored.wait_for()
        mark, box = await shown.page.locator("mark").bounding_box(), await stored.bounding_box()
        assert mark and box
        assert max(60, box["y"]) <= mark["y"] and mark["y"] + mark["height"] <= min(
            800, box["y"] + box["height"]
        )
