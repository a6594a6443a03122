"""Measures the dashboard in the real browser, with 1,000 jobs, one of them with 5,000 findings and a long report.

Each page is loaded by itself, as a desktop in light and as a phone in dark: how long until something of it is painted
and until all of it is there, how long the server works on it (on a busy machine the only time that counts), how much of
it moves while it loads, how large its HTML is, whether it is wider than the window, and what the browser's console
says.
"""

import asyncio
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import httpx
import psutil
from playwright.async_api import Page, async_playwright

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.figures import Calibration, Figure, counted, timed
from benchmarks.jobs.dashboard_stores import FINDINGS_OF_JOB, JOBS, LONG_FINDINGS, Stored, fill
from benchmarks.jobs.serve import address_of
from research_crawler.adapters.browser_program import HOW_TO_GET, find_browser
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.runtime.runtime import running

MOST_FIRST_S, MOST_LOADED_S, MOST_KB, MOST_SHIFT = 0.3, 1.0, 100.0, 0.1
PHONE_WIDTH, DESKTOP_WIDTH = 390, 1280
LOADS = 3
"""Each page is loaded so often in each window, and its best time counts: others use the machine too."""
SEARCH = f"/memory?{urlencode({'q': 'heat pumps after a year'})}"
NOTE_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  if (!one.hadRecentInput) window.shifted += one.value;
})).observe({ type: "layout-shift", buffered: true });
"""
TIMES = """() => new Promise((done) => {
  const told = () => {
    const painted = performance.getEntriesByName("first-contentful-paint")[0];
    const [loaded] = performance.getEntriesByType("navigation");
    if (!painted || !loaded.loadEventEnd) return setTimeout(told, 10);
    done([painted.startTime / 1000, loaded.loadEventEnd / 1000]);
  };
  told();
})"""
SETTLES_MS = 600
"""What moves later than this after the page was loaded is no part of its loading."""


@dataclass
class Seen:
    """What the browser saw of all pages."""

    first_s: dict[str, float] = field(default_factory=dict)
    loaded_s: dict[str, float] = field(default_factory=dict)
    worked_s: dict[str, float] = field(default_factory=dict)
    """Processor time of the server for the page alone, without what it loads."""
    kilobytes: dict[str, float] = field(default_factory=dict)
    shifts: dict[str, float] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)
    too_wide: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Fill the stores, serve them, and look at every page."""
    with tempfile.TemporaryDirectory(prefix="bench-ui-") as name, redis_server(Path(name)) as url:
        folder = Path(name)
        settings = loopback(home=folder / "home", redis_url=url, serve_port=0, max_active_jobs=10_000)
        config = load_system_config(**settings)
        stored = asyncio.run(_fill(config))
        with children() as started:
            server = Child.research("serve", env=environment(**settings), folder=folder)
            started.append(server)
            address = address_of(server)
            token = (folder / "home" / "serve.token").read_text().strip()
            seen, factor = calibration.with_factor(
                lambda: asyncio.run(_look(config, server.pid, address, token, pages_of(stored)))
            )
    yield from _figures(seen, factor)


def pages_of(stored: Stored) -> list[str]:
    """The pages that are looked at."""
    return [
        "/sign-in", "/", "/model", "/jobs", f"/jobs/{stored.live_job}", f"/jobs/{stored.live_job}/state",
        f"/jobs/{stored.long_job}", f"/jobs/{stored.long_job}/report", f"/jobs/{stored.long_job}/review",
        f"/jobs/{stored.long_job}/evidence/{stored.quote}", "/batches", "/batches/new", f"/batches/{stored.batch}",
        "/watches", "/watches/new", f"/watches/{stored.watch}", "/memory", SEARCH, "/spend", "/interventions",
        "/system",
    ]  # fmt: skip


def _figures(seen: Seen, factor: float) -> Iterator[Figure]:
    note = f"{JOBS:,} jobs, {JOBS * FINDINGS_OF_JOB + LONG_FINDINGS:,} findings, {len(seen.first_s)} pages"
    for what, found, most in (
        ("first view", seen.first_s, MOST_FIRST_S),
        ("loaded", seen.loaded_s, MOST_LOADED_S),
    ):
        slowest = max(found, key=lambda path: found[path])
        yield timed(
            f"dashboard: slowest page, {what}",
            found[slowest],
            "s",
            most=most,
            factor=factor,
            reference=f"/sign-in {found['/sign-in']:.2f} s",
            note=f"{slowest}; {note}",
        )
    busiest = sorted(seen.worked_s, key=lambda path: -seen.worked_s[path])
    yield Figure(
        "dashboard: page on which the server works longest",
        seen.worked_s[busiest[0]],
        "s",
        note=", ".join(f"{path} {seen.worked_s[path]:.2f}" for path in busiest[:8]),
    )
    for what, sizes, most, unit in (
        ("largest page, HTML", seen.kilobytes, MOST_KB, "kB"),
        ("most that moves while a page loads", seen.shifts, MOST_SHIFT, ""),
    ):
        worst = max(sizes, key=lambda path: sizes[path])
        yield counted(
            f"dashboard: {what}",
            sizes[worst],
            unit,
            ok=sizes[worst] <= most,
            target=f"≤ {most:g} {unit}".rstrip(),
            note=worst,
        )
    for what, lines in (
        ("complaints in the browser's console", seen.complaints),
        ("requests to other places", seen.elsewhere),
        (f"pages wider than a phone of {PHONE_WIDTH} px", seen.too_wide),
    ):
        yield counted(
            f"dashboard: {what}", len(lines), "", ok=not lines, target="0", note="; ".join(lines)[:300]
        )
    missed = [path for path in seen.first_s if _misses(seen, path)]
    for path in missed:
        yield Figure(
            f"dashboard: {path}"[:58],
            seen.first_s[path],
            "s",
            note=f"loaded {seen.loaded_s[path]:.2f} s, {seen.kilobytes[path]:.0f} kB, moved {seen.shifts[path]:.2f}",
        )


def _misses(seen: Seen, path: str) -> bool:
    return (
        seen.first_s[path] > MOST_FIRST_S
        or seen.loaded_s[path] > MOST_LOADED_S
        or seen.kilobytes[path] > MOST_KB
        or seen.shifts[path] > MOST_SHIFT
    )


async def _fill(config: Config) -> Stored:
    async with running(config, crawl=False, plan=False) as runtime:
        return await fill(runtime, config)


async def _look(config: Config, server: int, address: str, token: str, paths: list[str]) -> Seen:
    program = find_browser(config)
    if program is None:
        raise RuntimeError(f"no browser: {HOW_TO_GET}")
    seen = Seen()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**program.options)
        for width, scheme in ((DESKTOP_WIDTH, "light"), (PHONE_WIDTH, "dark")):
            context = await browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
            )
            await context.add_init_script(NOTE_SHIFTS)
            page = await context.new_page()
            page.on("console", lambda message: seen.complaints.append(message.text))
            page.on("pageerror", lambda error: seen.complaints.append(str(error)))
            page.on("request", lambda request: _note_request(seen, request.url, address))
            await page.goto(f"{address}/ui/sign-in")
            await page.locator("input[name=token]").fill(token)
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/ui/")
            cookies = {cookie["name"]: cookie["value"] for cookie in await context.cookies()}
            for path in paths:
                for _ in range(LOADS):
                    await _load(page, f"{address}/ui", path, seen)
                    await _note_work(psutil.Process(server), cookies, f"{address}/ui", path, seen)
                if await page.evaluate("document.documentElement.scrollWidth") > width:
                    seen.too_wide.append(f"{path} at {width} px")
        await browser.close()
    return seen


async def _load(page: Page, address: str, path: str, seen: Seen) -> None:
    answer = await page.goto(f"{address}{path}")
    assert answer
    if not answer.ok:
        seen.complaints.append(f"{path}: status {answer.status}")
    first_s, loaded_s = await page.evaluate(TIMES)
    await page.wait_for_timeout(SETTLES_MS)
    seen.first_s[path] = min(first_s, seen.first_s.get(path, first_s))
    seen.loaded_s[path] = min(loaded_s, seen.loaded_s.get(path, loaded_s))
    seen.kilobytes[path] = len(await answer.body()) / 1000
    seen.shifts[path] = max(seen.shifts.get(path, 0.0), await page.evaluate("window.shifted"))


async def _note_work(
    server: psutil.Process, cookies: dict[str, str], address: str, path: str, seen: Seen
) -> None:
    async with httpx.AsyncClient(cookies=cookies, timeout=60) as client:
        before = sum(server.cpu_times()[:2])
        (await client.get(f"{address}{path}")).raise_for_status()
        worked_s = sum(server.cpu_times()[:2]) - before
    seen.worked_s[path] = min(worked_s, seen.worked_s.get(path, worked_s))


def _note_request(seen: Seen, url: str, address: str) -> None:
    if not url.startswith((f"{address}/ui", "data:")):
        seen.elsewhere.append(json.dumps(url))
