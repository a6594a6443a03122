"""Measures the dashboard in the real browser, with 1,000 jobs and 5,000 findings behind it.

Each page is loaded by itself, as a desktop and as a phone, light and dark: how long until it is there, how large its
HTML is, whether it is wider than the window, and what the browser's console says.
"""

import asyncio
import json
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.async_api import Page, async_playwright

from benchmarks.children import Child, children, environment, loopback, redis_server
from benchmarks.figures import Calibration, Figure, counted, timed
from benchmarks.jobs.serve import address_of
from planner.job.factory import make_job
from research_crawler.adapters.browser import HOW_TO_GET, find_browser
from research_crawler.configuration import load_system_config
from research_crawler.core.config import Config
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.records import TimelineEntry
from research_crawler.core.models.messages.events import CommandDone, PageReading, Usage
from research_crawler.core.settings.depth import limits_for
from research_crawler.runtime.runtime import Runtime, running

JOBS, LIVE_JOBS, FINDINGS_OF_JOB, LINES = 1_000, 200, 5, 180
MOST_S, MOST_KB = 1.0, 100.0
PHONE_WIDTH, DESKTOP_WIDTH = 390, 1280
SEARCH = f"/memory?{urlencode({'q': 'heat pumps after a year'})}"
SUBJECTS = ("heat pumps", "tide tables", "e-readers", "cargo bikes", "espresso mills", "solar inverters")


@dataclass
class Seen:
    """What the browser saw of all pages."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    kilobytes: dict[str, float] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)
    too_wide: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)


def measure(calibration: Calibration) -> Iterator[Figure]:
    """Fill the stores, serve them, and look at every page."""
    with tempfile.TemporaryDirectory(prefix="bench-ui-") as name, redis_server(Path(name)) as url:
        folder = Path(name)
        settings = loopback(home=folder / "home", redis_url=url, serve_port=0, max_active_jobs=10_000)
        config = load_system_config(**settings)
        job = asyncio.run(_fill(config))
        with children() as started:
            server = Child.research("serve", env=environment(**settings), folder=folder)
            started.append(server)
            address = address_of(server)
            token = (folder / "home" / "serve.token").read_text().strip()
            seen, factor = calibration.with_factor(lambda: asyncio.run(_look(config, address, token, job)))
    yield from _figures(seen, factor)


def _figures(seen: Seen, factor: float) -> Iterator[Figure]:
    first = seen.seconds["/jobs"]
    note = f"{JOBS:,} jobs, {JOBS * FINDINGS_OF_JOB:,} findings"
    yield timed(
        "dashboard: first view of the jobs, loaded", first[0], "s", most=MOST_S, factor=factor, note=note
    )
    loading = seen.seconds[SEARCH].pop(0)
    yield Figure(
        "dashboard: first search of the memory, loaded",
        loading,
        "s",
        note="the model of its meanings is loaded",
    )
    slowest = max(seen.seconds, key=lambda path: max(seen.seconds[path]))
    yield timed(
        "dashboard: slowest page, loaded",
        max(seen.seconds[slowest]),
        "s",
        most=MOST_S,
        factor=factor,
        reference=f"/sign-in {min(seen.seconds['/sign-in']):.2f} s",
        note=slowest,
    )
    largest = max(seen.kilobytes, key=lambda path: seen.kilobytes[path])
    yield counted(
        "dashboard: largest page, HTML",
        seen.kilobytes[largest],
        "kB",
        ok=seen.kilobytes[largest] <= MOST_KB,
        target=f"≤ {MOST_KB:g} kB",
        note=largest,
    )
    for what, found in (
        ("complaints in the browser's console", seen.complaints),
        ("requests to other places", seen.elsewhere),
        (f"pages wider than a phone of {PHONE_WIDTH} px", seen.too_wide),
    ):
        yield counted(
            f"dashboard: {what}", len(found), "", ok=not found, target="0", note="; ".join(found)[:300]
        )


async def _fill(config: Config) -> str:
    """Store the jobs, most of them finished; returns the id of one that runs."""
    async with running(config, crawl=False, plan=False) as runtime:
        for number in range(JOBS - LIVE_JOBS):
            await _finished(runtime, config, number)
        live = [make_job(_inputs(n), limits_for(config, depth="standard")) for n in range(LIVE_JOBS)]
        for job in live:
            await runtime.container.jobs.submit(job)
        await _work_on(runtime)
        return live[0].id


def _inputs(number: int) -> JobInputs:
    subject = SUBJECTS[number % len(SUBJECTS)]
    return JobInputs(
        goal=f"What do people who have used {subject} for a year say about model {number}, and why?"
    )


async def _finished(runtime: Runtime, config: Config, number: int) -> None:
    made = make_job(_inputs(number), limits_for(config, depth="standard"))
    usage = Usage(model_calls=8, prompt_tokens=21_000 + number, completion_tokens=2_100, usd=0.0125)
    day = f"2026-{1 + number % 9:02}-{1 + number % 28:02}T10:00:00+00:00"
    values: dict[str, Any] = {
        "state": "completed",
        "usage": usage,
        "completed_at": day,
        "timeline": _timeline(),
    }
    job = Job.model_validate({**made.model_dump(), "created_at": day, **values})
    findings = [_finding(job, n) for n in range(FINDINGS_OF_JOB)]
    await runtime.container.archive.save_job(job, findings, {})
    page = PageReading(url=findings[0].url, final_url=findings[0].url, sha=findings[0].page_sha256)
    event = CommandDone(uid=f"{job.id}:1", job=job.id, command=f"{job.id}:1", page=page, findings=findings)
    await runtime.container.archive.index_event(event)


def _finding(job: Job, number: int) -> Finding:
    subject = SUBJECTS[number % len(SUBJECTS)]
    quote = f"After a year the {subject} of this maker still work as on the first day, says owner {number} of them."
    return Finding(
        id=str(uuid.uuid4()),
        command=f"{job.id}:1",
        claim=f"Owners of {subject} are content.",
        quote=quote,
        start=0,
        end=len(quote),
        page_sha256=uuid.uuid4().hex * 2,
        url=f"https://reviews.example/{job.id}/{number}",
        title=f"Owners on {subject}",
        fetched_at="2026-01-01T10:00:00+00:00",
    )


def _timeline() -> list[TimelineEntry]:
    text = "https://reviews.example/a-long-address/of-a-page the page that most of the results name first"
    return [
        TimelineEntry(at_ms=1_700_000_000_000 + n, iteration=n, action="visit", text=text)
        for n in range(LINES)
    ]


async def _work_on(runtime: Runtime) -> None:
    """Give the jobs that run the timelines of real ones."""
    jobs = runtime.container.jobs
    for _ in range(LIVE_JOBS):
        taken = await jobs.take(max_active=10_000)
        if taken is None:
            return
        new = taken.job.changed(state="executing", timeline=_timeline())
        await jobs.commit(taken, new, timers={("deadline", 1): taken.now_ms + 3_600_000})


async def _look(config: Config, address: str, token: str, job: str) -> Seen:
    program = find_browser(config)
    if program is None:
        raise RuntimeError(f"no browser: {HOW_TO_GET}")
    paths = ["/sign-in", "/jobs", f"/jobs/{job}", f"/jobs/{job}/state", "/spend", "/interventions", "/batches",
             "/watches", "/memory", SEARCH]  # fmt: skip
    seen = Seen()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**program.options)
        for width, scheme in ((DESKTOP_WIDTH, "light"), (PHONE_WIDTH, "dark")):
            context = await browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
            )
            page = await context.new_page()
            page.on("console", lambda message: seen.complaints.append(message.text))
            page.on("pageerror", lambda error: seen.complaints.append(str(error)))
            page.on("request", lambda request: _note_request(seen, request.url, address))
            await page.goto(f"{address}/ui/sign-in")
            await page.locator("input[name=token]").fill(token)
            begun = time.monotonic()
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/ui/")
            seen.seconds.setdefault("/jobs", []).append(time.monotonic() - begun)
            for path in paths:
                await _load(page, address, path, seen, width)
        await browser.close()
    return seen


async def _load(page: Page, address: str, path: str, seen: Seen, width: int) -> None:
    begun = time.monotonic()
    answer = await page.goto(f"{address}/ui{path}")
    seconds = time.monotonic() - begun
    assert answer
    if not answer.ok:
        seen.complaints.append(f"{path}: status {answer.status}")
    seen.seconds.setdefault(path, []).append(seconds)
    seen.kilobytes[path] = len(await answer.body()) / 1000
    if await page.evaluate("document.documentElement.scrollWidth") > width:
        seen.too_wide.append(f"{path} at {width} px")


def _note_request(seen: Seen, url: str, address: str) -> None:
    if not url.startswith((f"{address}/ui", "data:")):
        seen.elsewhere.append(json.dumps(url))
