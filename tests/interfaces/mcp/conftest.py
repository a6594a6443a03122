"""A connected gateway without crawler and planner, its server, and clients of both protocol eras."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from research_crawler.configuration import load_system_config
from research_crawler.core.models.jobs.job import Job, JobInputs, Progress
from research_crawler.core.models.jobs.planning_state import PlanningState
from research_crawler.core.models.jobs.records import VisitRecord
from research_crawler.core.models.reports.cited_parts import Source
from research_crawler.core.models.reports.report import Report
from research_crawler.interfaces.mcp.mcp_server import make_server
from research_crawler.interfaces.mcp.research_gateway import ResearchGateway
from research_crawler.runtime.runtime import Runtime, running

ERAS = ("legacy", "2026-07-28")
OVER = "overaaaaaaaa"


@pytest.fixture
async def runtime(tmp_path) -> AsyncIterator[Runtime]:
    """A process that is connected to the stores, and neither plans nor crawls."""
    config = load_system_config(home=tmp_path / "home", save_directory=str(tmp_path))
    async with running(config, crawl=False, plan=False) as connected:
        await (
            connected.container.archive.open()
        )  # where it is made first, a tool answers before its job is queued
        yield connected


@pytest.fixture
async def gateway(runtime) -> AsyncIterator[ResearchGateway]:
    gateway = ResearchGateway.over(runtime)
    gateway.answer_s = 20.0  # the machine may be busy
    yield gateway
    await gateway.close()


@pytest.fixture(params=ERAS)
async def client(gateway, request) -> AsyncIterator[Client]:
    """A client in this process, of each era."""
    async with held(gateway, request.param) as connected:
        yield connected


@pytest.fixture
async def old_client(gateway) -> AsyncIterator[Client]:
    """A client of the old era, for what does not depend on the era."""
    async with held(gateway, ERAS[0]) as connected:
        yield connected


@asynccontextmanager
async def held(gateway: ResearchGateway, era: str) -> AsyncIterator[Client]:
    """A client that one task holds, because the SDK enters and leaves its scopes in the same one."""
    ready, done = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def hold() -> None:
        async with Client(make_server(gateway), mode=era) as connected:
            ready.set_result(connected)
            await done.wait()

    holding = asyncio.create_task(hold())
    await asyncio.wait({ready, holding}, return_when=asyncio.FIRST_COMPLETED)
    yield ready.result()
    done.set()
    await holding


async def called(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool, which its text repeats."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def refused(client: Client, tool: str, /, **arguments: Any) -> str:
    """What a tool says about a call that it cannot carry out."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return result.content[0].text


def a_running_job(job_id: str = "runsaaaaaaaa", summaries: int = 2) -> Job:
    filler = "It says so. " * 20
    visits = [
        VisitRecord(
            n=n,
            command=f"{job_id}:{n}",
            url=f"https://a.example/{n}",
            round=1,
            outcome="ok",
            summary=f"Fact {n}. {filler}",
        )
        for n in range(1, summaries + 1)
    ]
    return Job(
        id=job_id,
        state="executing",
        inputs=JobInputs(goal="heat pumps"),
        visits=visits,
        plan=PlanningState(visits_used=summaries, findings=3),
        progress=Progress(current_step=2, total_steps=5, current_action="Reading: a.example", fraction=0.4),
        created_at="2026-01-02T03:04:05+00:00",
    )


async def archived(runtime: Runtime, *, words: int = 50, sources: int = 3, **inputs: Any) -> Job:
    """Keep a finished job with a report of so many words and sources."""
    job = Job(
        id=OVER,
        state="completed",
        inputs=JobInputs(goal="heat pumps", **inputs),
        progress=Progress(current_step=5, total_steps=5, current_action="Synthesizing report", fraction=1.0),
        folder=str(runtime.config.home / "jobs" / OVER),
        created_at="2026-01-02T03:04:05+00:00",
        completed_at="2026-01-02T03:05:05+00:00",
    )
    text = "# Report\n\n" + "\n\n".join(
        f"Paragraph {n} of the report says so [1]." for n in range(words // 8)
    )
    report = Report(
        job=OVER,
        status="completed",
        state="completed",
        goal="heat pumps",
        intent="informational",
        strategy="phase1_only",
        brain="extractive",
        report_markdown=text,
        sources=[
            Source(
                n=n, title=f"Page {n}", url=f"https://a.example/{n}", host="a.example", summary="It says so."
            )
            for n in range(1, sources + 1)
        ],
    )
    await runtime.container.archive.save_job(job, [], report.model_dump(mode="json"))
    return job
