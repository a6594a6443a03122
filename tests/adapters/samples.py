"""Sample pages, findings, events and jobs for the tests of the stores."""

import uuid

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job, JobInputs
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.web.pages import PageText, StoredPage

DIMENSIONS = 8


def page(sha="a" * 64, *, url="https://example.org/a", text="Grass is green.", **more):
    return StoredPage(
        sha=sha, url=url, final_url=url, page=PageText(markdown=text, text=text, title="Grass"), **more
    )


def finding(command="job1:1", ordinal=0, *, claim="Grass is green", **more):
    return Finding(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{command}/{ordinal}")),
        command=command,
        claim=claim,
        quote="Grass is green.",
        start=0,
        end=15,
        page_sha256="a" * 64,
        url="https://example.org/a",
        **more,
    )


def axis(n):
    """A unit vector along one axis: exact in half precision, orthogonal to the others."""
    return [1.0 if place == n else 0.0 for place in range(DIMENSIONS)]


def event(command="job1:1", claims=("Grass is green",)):
    findings = [finding(command, ordinal, claim=claim) for ordinal, claim in enumerate(claims)]
    return CommandDone(
        uid=f"done/{command}",
        job=command.rpartition(":")[0],
        command=command,
        findings=findings,
    )


async def index_with_vectors(archive, event):
    """Index an event, and store a vector for each of its findings."""
    await archive.index_event(event)
    await archive.put_vectors(
        {found.id: axis(place % DIMENSIONS) for place, found in enumerate(event.findings)}
    )


def job(job_id="job1", *, goal="Why is grass green?", completed_at="2026-01-01T00:00:00+00:00"):
    return Job(id=job_id, state="completed", inputs=JobInputs(goal=goal), completed_at=completed_at)
