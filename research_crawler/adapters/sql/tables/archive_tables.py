"""The tables of the archive, and the conversion of models to rows and back. `migrations/` has the schema's
history.

Complete documents (page, job, report) are stored as zstd of their wire JSON; the other columns are for
queries.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import zstandard
from sqlalchemy import (
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)
from sqlalchemy.engine import RowMapping

from research_crawler.core.models.base import WIRE_VERSION
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.web.pages import StoredPage
from research_crawler.core.web.urls import host_of

METADATA = MetaData()

PAGES = Table(
    "pages",
    METADATA,
    Column("sha", String(64), primary_key=True),
    Column("url", Text, nullable=False, index=True),
    Column("final_url", Text, nullable=False, index=True),
    Column("host", String(255), nullable=False, index=True),
    Column("status", Integer, nullable=False),
    Column("fetched_at", String(40), nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("page", LargeBinary, nullable=False),
    Column("raw", LargeBinary),
    Column("noarchive", Boolean, nullable=False, server_default=false()),
    Index("ix_pages_noarchive", "noarchive", "fetched_at"),
)

FINDINGS = Table(
    "findings",
    METADATA,
    Column("id", String(36), primary_key=True),
    Column("command", String(64), nullable=False, index=True),
    Column("job", String(12), nullable=False, index=True),
    Column("ordinal", Integer, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("claim", Text, nullable=False),
    Column("quote", Text, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("page_sha256", String(64), nullable=False, index=True),
    Column("url", Text, nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("fetched_at", String(40), nullable=False),
    Column("published", String(40), nullable=False),
    Column("score", Float, nullable=False),
    Column("by", Text, nullable=False),
    Column("vector", LargeBinary),
    Column("retracted", Boolean, nullable=False, server_default=false()),
    Column("heading", Text, nullable=False, server_default=""),
    Column("page_number", Integer),
    Column("is_snippet", Boolean, nullable=False, server_default=false()),
    Column("subject", Text, nullable=False, server_default=""),
)

RETRACTIONS = Table(
    "retractions",
    METADATA,
    Column("finding", String(36), primary_key=True),
    Column("job", String(12), nullable=False, index=True),
)
"""Findings that a person has rejected, also those that are not indexed yet."""

RECORDED_EVENTS = Table(
    "recorded_events",
    METADATA,
    Column("command", String(64), primary_key=True),
    Column("job", String(12), nullable=False, index=True),
    Column("place", Integer, nullable=False),
    Column("url", Text, nullable=False),
    Column("event", LargeBinary, nullable=False),
)
"""What came of each command, in the order in which it came, so that a job can be replayed without the network."""

JOBS = Table(
    "jobs",
    METADATA,
    Column("id", String(12), primary_key=True),
    Column("state", String(20), nullable=False),
    Column("goal", Text, nullable=False),
    Column("created_at", String(40), nullable=False),
    Column("completed_at", String(40), nullable=False, index=True),
    Column("job", LargeBinary, nullable=False),
    Column("findings", LargeBinary, nullable=False),
    Column("report", LargeBinary, nullable=False),
)

OPEN_JOBS = Table(
    "open_jobs",
    METADATA,
    Column("id", String(12), primary_key=True),
    Column("created_at", String(40), nullable=False),
    Column("job", LargeBinary, nullable=False),
)
"""Jobs as they were submitted, from before that is acknowledged until they are over. Redis may lose its last second."""

COMPRESSION_LEVEL = 3
"""zstd's default. It takes about a millisecond for a page of 100 kB; higher levels save a few per cent
more."""
NOT_IN_FINDING = frozenset({"job", "ordinal", "vector"})


def compress(data: bytes) -> bytes:
    """Compress by zstd, with the size in the frame."""
    return zstandard.ZstdCompressor(level=COMPRESSION_LEVEL).compress(data)


def decompress(data: bytes) -> bytes:
    """Undo `compress`."""
    return zstandard.ZstdDecompressor().decompress(data)


def page_row(page: StoredPage, raw: bytes | None) -> dict[str, Any]:
    """The row of a page. Compressing a large page is slow, so call it in a thread."""
    row = {
        "sha": page.sha,
        "url": page.url,
        "final_url": page.final_url,
        "host": host_of(page.final_url),
        "status": page.status,
        "fetched_at": page.fetched_at,
        "title": page.page.title,
        "page": compress(page.to_wire().encode()),
        "raw": None if raw is None else compress(raw),
        "noarchive": page.page.noarchive,
    }
    return _storable(row)


def page_of(document: bytes) -> StoredPage:
    """The page in a value of the column `page`."""
    return StoredPage.from_wire(decompress(document))


def finding_rows(event: CommandDone) -> list[dict[str, Any]]:
    """The rows of an event's findings, without their vectors, which are made later."""
    return [
        _storable(finding.model_dump(exclude={"v"})) | {"job": event.job, "ordinal": ordinal, "vector": None}
        for ordinal, finding in enumerate(event.findings)
    ]


def recorded_row(event: CommandDone) -> dict[str, Any]:
    """The row of an event, by which its job can be replayed."""
    row = {
        "command": event.command,
        "job": event.job,
        "url": event.page.final_url if event.page else "",
        "event": compress(event.to_wire().encode()),
    }
    return _storable(row)


def finding_of(row: RowMapping) -> Finding:
    """The finding in a row of `findings`."""
    return Finding(**{name: value for name, value in row.items() if name not in NOT_IN_FINDING})


def job_row(job: Job, findings: Sequence[Finding], report: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a finished job. The order of its findings is kept, because citations are numbers in it."""
    lines = "\n".join(finding.to_wire() for finding in findings)
    row = {
        "id": job.id,
        "state": job.state,
        "goal": job.topic,
        "created_at": job.created_at,
        "completed_at": job.completed_at,
        "job": job_bytes(job),
        "findings": compress(lines.encode()),
        "report": compress(json.dumps(report, ensure_ascii=False).encode()),
    }
    return _storable(row)


def _storable(row: Mapping[str, Any]) -> dict[str, Any]:
    # PostgreSQL cannot store NUL in text. Compressed documents keep theirs.
    return {
        name: value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
        for name, value in row.items()
    }


def job_bytes(job: Job) -> bytes:
    """The job for a column `job`, with this release's wire version, whichever release wrote what it was read from."""
    return compress(job.changed(v=WIRE_VERSION).to_wire().encode())


def job_document(document: bytes) -> Job:
    """The job in a value of the column `job`."""
    return Job.from_wire(decompress(document))


def report_of(row: RowMapping) -> tuple[Job, dict[str, Any]]:
    """The finished job and its report in a row of `jobs`."""
    return job_document(row["job"]), json.loads(decompress(row["report"]))


def job_of(row: RowMapping) -> tuple[Job, list[Finding], dict[str, Any]]:
    """The finished job, its findings and its report in a row of `jobs`."""
    lines = decompress(row["findings"]).decode().split("\n")
    findings = [Finding.from_wire(line) for line in lines if line]
    job, report = report_of(row)
    return job, findings, report


def vector_bytes(vector: Sequence[float]) -> bytes:
    """A vector as the archive has it: little-endian float16.

    Half precision moves a cosine of unit vectors by less than 0.001 and takes 768 bytes for 384 numbers.
    """
    return struct.pack(f"<{len(vector)}e", *vector)


def vector_of_bytes(data: bytes) -> list[float]:
    """Undo `vector_bytes`."""
    return list(struct.unpack(f"<{len(data) // 2}e", data))
