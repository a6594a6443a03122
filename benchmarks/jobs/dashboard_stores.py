"""Fills the stores behind the dashboard: 1,000 jobs, one of them with 5,000 findings and a long report, and desks full.

The long report is put together by the planner's own code from a draft as a model writes one: 24 sections, a table and
contradictions, with citations into 5,000 findings on 500 stored pages.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from planner.job.factory import make_job
from planner.reports.report import RenderContext, assemble
from research_crawler.adapters.sql.inserting import insert_new
from research_crawler.adapters.sql.tables.watch_tables import OBSERVATIONS, observation_row
from research_crawler.core.config import Config
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.columns import ColumnSpec
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.jobs.records import TimelineEntry
from research_crawler.core.models.messages.events import CommandDone, PageReading, Usage
from research_crawler.core.models.reports.drafts import (
    Contradiction,
    DraftCell,
    DraftRow,
    DraftSection,
    DraftTable,
    ReportDraft,
    Sentence,
)
from research_crawler.core.models.watches.watch import Observation
from research_crawler.core.models.web.pages import PageText, StoredPage
from research_crawler.core.settings.depth import limits_for
from research_crawler.runtime.runtime import Runtime
from research_crawler.services import watch_control
from research_crawler.services.batches import batch_control
from research_crawler.services.batches.batch_requests import BatchRequest, checked_batch
from research_crawler.services.batches.input_table import InputRow, InputTable
from research_crawler.services.submission.new_jobs import JobRequest
from research_crawler.services.watch_documents import NewWatch

JOBS, LIVE_JOBS, FINDINGS_OF_JOB, LINES = 1_000, 200, 5, 180
LONG_FINDINGS, LONG_PAGES, SECTIONS, SENTENCES, PAIRS = 5_000, 500, 24, 10, 6
WATCHES, PRICES, BATCHES, ROWS = 100, 120, 60, 400
SUBJECTS = ("heat pumps", "tide tables", "e-readers", "cargo bikes", "espresso mills", "solar inverters")
DAY_MS = 86_400_000
BEGUN_MS = 1_767_225_600_000


@dataclass(frozen=True)
class Stored:
    """What the pages to look at are called."""

    live_job: str
    long_job: str
    quote: str
    watch: str
    batch: str


async def fill(runtime: Runtime, config: Config) -> Stored:
    """Store the jobs, most of them finished, the batches and the watches."""
    for number in range(JOBS - LIVE_JOBS - 1):
        await _finished(runtime, config, number)
    long_job, quote = await _long(runtime, config)
    live = [make_job(_inputs(n), limits_for(config, depth="standard")) for n in range(LIVE_JOBS)]
    for job in live:
        await runtime.container.jobs.submit(job)
    await _work_on(runtime)
    watch, batch = await _watches(runtime, config), await _batches(runtime, config)
    return Stored(live_job=live[0].id, long_job=long_job, quote=quote, watch=watch, batch=batch)


def _inputs(number: int) -> JobInputs:
    subject = SUBJECTS[number % len(SUBJECTS)]
    return JobInputs(
        goal=f"What do people who have used {subject} for a year say about model {number}, and why?"
    )


def _ended(config: Config, inputs: JobInputs, number: int) -> Job:
    made = make_job(inputs, limits_for(config, depth="standard"))
    usage = Usage(model_calls=8, prompt_tokens=21_000 + number, completion_tokens=2_100, usd=0.0125)
    day = f"2026-{1 + number % 9:02}-{1 + number % 28:02}T10:00:00+00:00"
    values: dict[str, Any] = {
        "state": "completed",
        "usage": usage,
        "completed_at": day,
        "timeline": _timeline(),
    }
    return Job.model_validate({**made.model_dump(), "created_at": day, **values})


async def _finished(runtime: Runtime, config: Config, number: int) -> None:
    job = _ended(config, _inputs(number), number)
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


async def _long(runtime: Runtime, config: Config) -> tuple[str, str]:
    """The job with the long report; its id, and that of a quote."""
    job = _ended(config, _inputs(0).changed(goal="What is known of cargo bikes?", max_words=5_000), 250)
    findings: list[Finding] = []
    for place in range(LONG_PAGES):
        findings += await _long_page(runtime, job, place)
    context = RenderContext(generated_at="2026-10-01T10:00:00+00:00", seconds=1_200)
    report = assemble(job, findings, _draft(), context)
    await runtime.container.archive.save_job(job, findings, report.model_dump(mode="json"))
    return job.id, report.claims[0].evidence[0]


async def _long_page(runtime: Runtime, job: Job, place: int) -> list[Finding]:
    """A stored page with its findings."""
    host = f"https://www.bikes-{place % 90}.example/report/{place}"
    quotes = [
        f"Bike {place}-{n} carried {40 + n} kg for {100 + place} days, and its owner would buy it again."
        for n in range(LONG_FINDINGS // LONG_PAGES)
    ]
    filler = "The road was wet on most of these days, which no table of the maker tells anybody. " * 4
    markdown = f"# Report {place}\n\n" + "\n\n".join(f"{filler}{quote} {filler}" for quote in quotes)
    sha = f"{place:064x}"
    page = StoredPage(sha=sha, url=host, final_url=host, page=PageText(markdown=markdown, text=markdown))
    await runtime.container.archive.put_page(page, None)
    return [
        Finding(
            id=str(uuid.uuid4()),
            command=f"{job.id}:{place + 1}",
            claim=quote,
            quote=quote,
            start=markdown.index(quote),
            end=markdown.index(quote) + len(quote),
            page_sha256=sha,
            url=host,
            title=f"Report {place} of a year with cargo bikes",
            fetched_at="2026-10-01T09:00:00+00:00",
        )
        for quote in quotes
    ]


def _draft() -> ReportDraft:
    sentences = iter(range(1, 10_000))

    def sentence() -> Sentence:
        n = next(sentences)
        text = f"Bike {n} carried more than {40 + n % 90} kg for a year, and its owner would buy it again"
        return Sentence(text=text, evidence=[n % 240, (n * 7) % 240], verdict="supported")

    rows = [
        DraftRow(
            label=f"Bike {n}",
            cells=[DraftCell(text=f"{n + 40} kg", evidence=[n]), DraftCell(text=f"{n} d", evidence=[n])],
        )
        for n in range(20)
    ]
    table = DraftTable(columns=["Bike", "Load", "Days"], rows=rows)
    return ReportDraft(
        by="a-model",
        answer=[sentence() for _ in range(6)],
        sections=[
            DraftSection(
                id=f"S{n}",
                title=f"What owners say of part {n} of their bikes",
                sentences=[sentence() for _ in range(SENTENCES)],
                table=table if n == 1 else None,
            )
            for n in range(1, SECTIONS + 1)
        ],
        contradictions=[
            Contradiction(about=f"the load of bike {n}", one=sentence(), other=sentence())
            for n in range(PAIRS)
        ],
        unknown=["What the second year brings"],
        follow_ups=["What does a second battery cost?"],
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


async def _watches(runtime: Runtime, config: Config) -> str:
    """Watches with their prices; the id of one."""
    ids: list[str] = []
    for number in range(WATCHES):
        asked = NewWatch(query=f"espresso mill {number}", every="6h", below="100")
        watch = watch_control.checked_watch(config, asked.to_request())
        await watch_control.add_watch(runtime, watch)
        ids.append(watch.id)
        rows = [observation_row(one) for one in _prices(watch.id, number)]
        await runtime.container.archive.change(
            lambda connection, rows=rows: insert_new(connection, OBSERVATIONS, rows)
        )
    return ids[0]


def _prices(watch: str, number: int) -> Sequence[Observation]:
    return [
        Observation(
            id=f"{watch}-{n}-{shop}",
            watch=watch,
            run=f"run-{n}",
            product=f"mill-{number}-{shop}",
            at_ms=BEGUN_MS + n * DAY_MS // 4,
            state="offer",
            price=Decimal(120 + (n * 7 + number) % 40),
            currency="USD",
            vendor=f"shop-{shop}.example",
            name=f"Mill {number}",
            confirmed=True,
            url=f"https://shop-{shop}.example/{number}",
        )
        for n in range(PRICES)
        for shop in range(3)
    ]


async def _batches(runtime: Runtime, config: Config) -> str:
    """Batches, one of them long; its id."""
    columns = [ColumnSpec(name=name, type="number") for name in ("load", "weight", "range")]
    found = ""
    for number in range(BATCHES):
        rows = ROWS if number == BATCHES - 1 else 3
        records = [InputRow(line=n + 1, fields={"bike": f"Bike {number}-{n}"}) for n in range(rows)]
        inputs = JobInputs(goal="What is said of {bike}?", columns=columns)
        request = BatchRequest(
            table=InputTable(fields=["bike"], rows=records),
            job=JobRequest(inputs=inputs),
            name=f"Bikes {number}",
        )
        found = (await batch_control.add_batch(runtime, checked_batch(config, request))).batch.id
    return found
