"""The dashboard as the real browser shows it."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import quote

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import BrowserContext, Page, async_playwright

from tests.browser import real_browser
from tests.interfaces.dashboard.desk_samples import sample_batch
from tests.interfaces.dashboard.test_pages import QUOTE, archived, put, seen
from tests.interfaces.http.conftest import TOKEN
from tests.interfaces.http.test_interventions import put_wall
from tests.services.exports.samples import report_with, sample_jobs

pytestmark = pytest.mark.long
WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}


@dataclass
class Shown:
    """A browser that has signed in, and what it complained about."""

    page: Page
    context: BrowserContext
    base: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    async def go(self, path: str) -> None:
        await self.page.goto(f"{self.base}/ui{path}")

    def check(self) -> None:
        assert [line for line in self.complaints if not line.startswith(TYPED_AT_ONCE)] == []
        assert all(url.startswith((f"{self.base}/ui", "data:,")) for url in self.requests), self.requests


SCROLLED = """(() => {
  const note = document.getElementById("note"), mark = note.querySelector(".stored mark").getBoundingClientRect();
  const all = [note, ...note.querySelectorAll("*")];
  const boxes = all.filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY));
  const { top, bottom } = note.getBoundingClientRect();
  return [boxes.map((one) => one.id || one.className), mark.top >= top && mark.bottom <= bottom];
})()"""
"""Which boxes of an open note can be scrolled, and whether its quote is in sight."""
TYPED_AT_ONCE = "Autofocus processing was blocked"
"""The browser says so to those who type before the page is complete."""


@asynccontextmanager
async def signed_in(served, **options) -> AsyncIterator[Shown]:
    """A browser that has typed the token by keyboard."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**real_browser().options)
        context = await browser.new_context(**options)
        page = await context.new_page()
        page.set_default_timeout(20_000)
        shown = Shown(page, context, str(served.client.base_url).rstrip("/"))
        page.on("console", lambda message: shown.complaints.append(message.text))
        page.on("pageerror", lambda error: shown.complaints.append(str(error)))
        page.on("request", lambda request: shown.requests.append(request.url))
        await shown.go("")
        field_ = page.locator("input[name=token]:focus")  # a page has its focus a moment after it is loaded
        await field_.press_sequentially(TOKEN)
        await field_.press("Enter")
        await page.get_by_role("heading", level=1).wait_for()
        yield shown
        await browser.close()


async def put_spent(served, tokens: dict[str, int], *, days_ago: int = 0) -> None:
    """Tokens that models have spent on a day."""
    redis, keys = served.runtime.container.folder.redis, served.runtime.container.budget.keys
    day = f"day.{int(time.time()) // 86_400 - days_ago}"
    await redis.hset(keys.ledger(day), "spent", sum(tokens.values()) + 50)
    for model, spent in tokens.items():
        name = quote(model, safe="/:@")
        await redis.zadd(keys.models, {name: 1})
        await redis.hset(keys.ledger(f"{day}|{name}"), "spent", spent)


@pytest.mark.timeout(300)  # three sizes of twenty pages
async def test_pages_follow_a_job_fit_a_phone_and_break_no_rule_of_accessibility(served):
    (shop, findings), report = sample_jobs()["laptops"], report_with(of="laptops")
    await served.runtime.container.archive.save_job(shop, findings, report.model_dump(mode="json"))
    finished = await archived(served, "<script>alert(1)</script>")
    job = (await served.post("/jobs", {"goal": "How do <b>heat pumps</b> work?"}))["task_id"]
    watch = (await served.post("/watches", {"query": "laptop", "every": "6h", "below": "720 USD"}, 201))["id"]
    batch = await sample_batch(served)
    await put_spent(served, {"org/large": 900, "small": 250})
    wall = await put_wall(served, f"http://{'a-long-name-of-a-host.' * 3}example/{'path' * 40}", picture=b"")
    await put(served, [seen(n, price, watch=watch) for n, price in enumerate(["800", "750", "700.5"])])
    async with signed_in(served, viewport={"width": 390, "height": 800}, color_scheme="dark") as shown:
        page = shown.page
        await page.get_by_role("link", name="How do <b>heat pumps</b> work?").click()
        await page.get_by_text("waits for a planner").first.wait_for()
        await served.step(job, "the first look")
        await page.get_by_text("Timeline").click()
        await page.locator("#timeline").get_by_text("the first look").wait_for()
        await page.get_by_text("Cancel the job").click()
        await page.get_by_role("button", name="Yes, cancel it").click()
        await page.locator("#now", has_text="cancelled").wait_for()
        wide, broken = [], []
        for path in ("/", "/model", "/jobs", f"/jobs/{job}", f"/jobs/{finished}/report", f"/jobs/{shop.id}/report",
                     f"/jobs/{finished}/review", f"/jobs/{finished}/quotes/1",
                     f"/jobs/{finished}/evidence/E1", f"/watches/{watch}", "/memory",
                     "/batches", f"/batches/{batch}", "/spend", "/system", "/system/doctor",
                     "/interventions", f"/interventions/{wall}", "/nowhere"):  # fmt: skip
            for width, scheme in ((390, "dark"), (1280, "light"), (2560, "dark")):
                await page.set_viewport_size({"width": width, "height": 900})
                await page.emulate_media(color_scheme=scheme)
                await shown.go(path)
                if await page.evaluate("document.documentElement.scrollWidth") > width:
                    wide.append((path, width))
                if width < 2560:
                    found = await Axe().run(page, options=WCAG)
                    broken += [
                        (path, scheme, one["id"], [node["target"] for node in one["nodes"]][:3])
                        for one in found.response["violations"]
                    ]
        assert (wide, broken) == ([], [])
        await shown.go(f"/jobs/{finished}/evidence/E1")
        assert await page.locator("mark").inner_text() == QUOTE
        seen_by_scripts = await page.evaluate("document.cookie.split('; ').map((one) => one.split('=')[0])")
        assert seen_by_scripts == ["research_ui_zone"], "no script sees the session"
        shown.complaints[:] = [one for one in shown.complaints if "404" not in one]
        shown.check()


async def test_a_question_is_asked_and_a_quote_is_opened_by_keyboard_alone(served):
    finished = await archived(served, "")
    async with signed_in(served) as shown:
        page = shown.page
        box = page.get_by_role("textbox", name="Your question")
        await box.press_sequentially("How loud is a heat pump?")
        await box.press("Control+Enter")
        await page.get_by_role("heading", name="How loud is a heat pump?").wait_for()
        await shown.go(f"/jobs/{finished}/report")
        await page.get_by_role("link", name="[1]").first.focus()
        await page.keyboard.press("Enter")
        note = page.locator("[popover]:popover-open")
        await note.get_by_text(QUOTE).first.wait_for()
        await note.get_by_role("link", name="Show it in its page").first.focus()
        await page.keyboard.press("Enter")
        await note.locator(".stored mark", has_text=QUOTE).wait_for()
        assert not await note.locator(
            ".excerpt"
        ).first.is_visible()  # its words stand in the page that is open
        assert await page.evaluate(SCROLLED) == [["note"], True]
        await page.keyboard.press("Escape")
        assert await note.count() == 0
        assert await page.evaluate("document.activeElement.textContent") == "[1]"
        shown.check()


async def test_a_key_stays_in_its_field_until_a_model_is_kept(served, model_server):
    async with signed_in(served) as shown:
        page = shown.page
        await shown.go("/model")
        await page.get_by_label("Address of the server").fill(model_server.url)
        await page.get_by_label("Name of the model").fill("x")
        await page.get_by_label("Key").fill("sk-typed-once")
        await page.keyboard.press("Enter")
        await page.get_by_role("alert").get_by_text("no model x").wait_for()
        assert await page.get_by_label("Key").input_value() == "sk-typed-once"
        await page.get_by_role("button", name="tiny").click()
        await page.get_by_text("It answers, and is kept.").wait_for()
        assert await page.get_by_label("Key").input_value() == ""
        assert model_server.keys == {"Bearer sk-typed-once"}
        shown.check()


async def test_without_javascript_everything_is_read_and_asked(served):
    finished = await archived(served, "")
    async with signed_in(served, java_script_enabled=False, locale="de-DE") as shown:
        page = shown.page
        await page.get_by_label("Ihre Frage").fill("Wie laut ist eine Wärmepumpe?")
        await page.get_by_role("button", name="Recherchieren").click()
        await page.get_by_role("heading", name="Wie laut ist eine Wärmepumpe?").wait_for()
        await shown.go(f"/jobs/{finished}/report")
        await page.get_by_role("link", name="[1]").first.click()
        await page.get_by_role("link", name="In der Seite zeigen").first.click()
        assert await page.locator("mark#quote").inner_text() == QUOTE
        shown.check()


async def test_a_stream_that_is_cut_goes_on_without_losing_a_step(served):
    job = (await served.post("/jobs", {"goal": "How do heat pumps work?"}))["task_id"]
    async with signed_in(served) as shown:
        page = shown.page
        await shown.go(f"/jobs/{job}")
        await page.get_by_text("Timeline").click()
        await served.step(job, "before the cut")
        await page.locator("#timeline").get_by_text("before the cut").wait_for()
        await shown.context.set_offline(True)
        served.state.feeds.close()  # every reader's stream ends in the middle
        await page.locator("#lost").wait_for()
        await served.step(job, "during the cut")
        served.state.feeds._is_closed = False
        await shown.context.set_offline(False)
        await page.locator("#timeline").get_by_text("during the cut").wait_for()
        assert await page.locator("#timeline").get_by_text("before the cut").count() == 1
        assert not await page.locator("#lost").is_visible()


async def test_the_field_that_is_to_be_put_right_is_in_focus_and_in_sight(served):
    async with signed_in(served, viewport={"width": 1280, "height": 700}) as shown:
        page = shown.page
        await shown.go("/batches/new")
        await page.get_by_label("or paste it").fill("bike 1\nbike 2\n")
        await page.get_by_role("button", name="Go on").click()
        await page.locator("#template").fill("What does {name} cost?")
        await page.get_by_role("button", name="Start", exact=True).click()
        await page.get_by_role("alert").get_by_text("1 field is to be put right.").wait_for()
        await page.wait_for_load_state()
        await page.wait_for_timeout(300)
        place = await page.evaluate(
            "[document.activeElement.id, document.activeElement.getBoundingClientRect().toJSON()]"
        )
        assert place[0] == "template" and place[1]["top"] > 60 and place[1]["bottom"] < 700, place


async def test_the_page_of_a_job_leads_to_its_report_as_soon_as_it_is_complete(served):
    job = (await served.post("/jobs", {"goal": "How do heat pumps work?"}))["task_id"]
    async with signed_in(served) as shown:
        await shown.go(f"/jobs/{job}")
        await shown.page.get_by_text("waits for a planner").first.wait_for()
        await served.step(job, "all at once", state="completed")
        await shown.page.wait_for_url(f"**/jobs/{job}/report")


async def test_the_quotes_of_a_mark_cover_no_text_that_belongs_to_it(served):
    finished = await archived(served, "")
    async with signed_in(served) as shown:
        page = shown.page
        for width in (390, 800, 1280, 2560):
            await page.set_viewport_size({"width": width, "height": 800})
            await shown.go(f"/jobs/{finished}/report")
            mark = page.get_by_role("link", name="[1]").last
            await mark.click()
            await page.locator("[popover]:popover-open").get_by_text(QUOTE).first.wait_for()
            above = await page.evaluate(
                "(() => { const at = (id) => document.querySelector(id).getBoundingClientRect();"
                " const note = at('#note'), mark = at('[data-marked]');"
                " return note.left >= at('.reading > .text').right || note.top >= mark.bottom; })()"
            )
            assert above, width
        shown.check()


async def test_an_open_quote_covers_neither_what_was_checked_nor_the_documents(served):
    finished = await archived(served, "")
    async with signed_in(served, viewport={"width": 1280, "height": 800}) as shown:
        page = shown.page
        await shown.go(f"/jobs/{finished}/report")
        await page.get_by_role("link", name="[1]").first.click()
        await page.locator("[popover]:popover-open").get_by_text(QUOTE).first.wait_for()
        await page.get_by_label("Show what").check()
        await page.get_by_role("link", name="[1]").first.click()
        await page.locator("[popover]:popover-open").get_by_text(QUOTE).first.wait_for()
        await page.get_by_text("Keep or share").click()
        await page.get_by_role("link", name="One HTML file for others").wait_for()
        shown.check()


async def test_jobs_are_found_as_one_types_and_the_box_says_whether_shops_will_be_asked(served):
    await served.post("/jobs", {"goal": "How do heat pumps work?"})
    await served.post("/jobs", {"goal": "What does a kettle cost?"})
    async with signed_in(served) as shown:
        page = shown.page
        await shown.go("/jobs")
        await page.get_by_label("Words of the question").press_sequentially("kettle")
        await page.get_by_role("link", name="How do heat pumps work?").wait_for(state="detached")
        assert await page.get_by_role("link", name="What does a kettle cost?").count() == 1
        await shown.go("/")
        await page.get_by_label("Your question").press_sequentially("Find me the cheapest kettle")
        await page.get_by_text("shops are asked for their prices").wait_for()
        shown.check()


async def test_offers_lead_to_their_pages_and_are_sorted_by_their_prices(served):
    shop, findings = sample_jobs()["laptops"]
    report = report_with("", of="laptops")
    await served.runtime.container.archive.save_job(shop, findings, report.model_dump(mode="json"))
    async with signed_in(served) as shown:
        page = shown.page
        await shown.go(f"/jobs/{shop.id}/report")
        table = page.locator("article table").filter(has=page.get_by_role("button", name="Vendor"))
        link = table.locator("tbody a").first
        assert await link.get_attribute("href") in {one.url for one in report.phase2.products}
        await table.get_by_role("button", name="Price").click()
        order = await page.evaluate(
            "['$1,049.00', '$749.99', '1.049,50 €', '0.350 kg', '12 × 3', 'n/a'].sort(compare)"
        )
        assert order == ["0.350 kg", "12 × 3", "$749.99", "$1,049.00", "1.049,50 €", "n/a"]
        shown.check()
