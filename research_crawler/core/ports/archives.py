"""The ports of what is kept for good: the archive, the vector index, and the outbox that feeds it."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, Protocol

from research_crawler.core.models.archive.keeping import Due, Removal, RetentionRule, Selection
from research_crawler.core.models.archive.memory import EVERYTHING, FindingFilter, Match
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.models.web.pages import StoredPage


class Outbox(Protocol):
    """The stream of settled events for the archive and the vector index."""

    async def read(
        self, consumer: str, *, count: int = 50, block_ms: int = 1000
    ) -> list[tuple[str, CommandDone]]:
        """Entries that nobody has acknowledged: first those that other consumers left idle, then new ones."""
        ...

    async def count(self) -> int:
        """How many entries nobody has acknowledged."""
        ...

    async def ack(self, entries: Sequence[str]) -> None:
        """Remove entries that are now in the archive and in the index."""
        ...

    async def postpone(self, events: Mapping[str, CommandDone]) -> None:
        """Remove entries that are in the archive, and note that the vector index still lacks their commands."""
        ...

    async def postponed(self, count: int) -> list[str]:
        """Commands that the vector index lacks, those that wait longest first."""
        ...

    async def note_indexed(self, commands: Sequence[str]) -> None:
        """The vector index has these commands now."""
        ...

    async def which_forgotten(self, commands: Sequence[str]) -> set[str]:
        """Those of these commands that were forgotten lately; an indexer drops them again."""
        ...


class Archive(Protocol):
    """The archive of pages, finished jobs and findings. Its contents are authoritative; the index is
    derived."""

    async def put_page(self, page: StoredPage, raw: bytes | None) -> None:
        """Store a page and, unless None, its raw bytes (zstd). Idempotent. Raises StorageFull."""
        ...

    async def get_page(self, sha: str) -> StoredPage | None:
        """A page by the hash of its sanitized text."""
        ...

    async def raw_page(self, sha: str) -> bytes | None:
        """The page's bytes as downloaded, if they are still stored."""
        ...

    async def index_event(self, event: CommandDone) -> None:
        """Delete by command, then insert the event's findings (uuid5 of command and ordinal)."""
        ...

    async def recorded_events(self, job: str) -> list[CommandDone]:
        """The events of a job's commands, in the order in which they came."""
        ...

    async def retract(self, job: str, findings: Collection[str]) -> None:
        """Mark findings (ids) as rejected by a person in a review of this job, also those that are indexed later.

        `find_findings` and `findings_of` return them with the mark; `vectors` leaves them out.
        """
        ...

    async def save_job(self, job: Job, findings: Sequence[Finding], report: Mapping[str, Any]) -> None:
        """Store or replace a finished job with its report document. Raises StorageFull."""
        ...

    async def get_job(self, job: str) -> tuple[Job, list[Finding], dict[str, Any]] | None:
        """A finished job, its findings and its report document."""
        ...

    async def get_record(self, job: str) -> Job | None:
        """The record of a finished job alone."""
        ...

    async def get_report(self, job: str) -> tuple[Job, dict[str, Any]] | None:
        """A finished job and its report document, without its findings."""
        ...

    async def list_jobs(self, limit: int = 100) -> list[Job]:
        """Finished jobs, newest first."""
        ...

    async def find_findings(self, ids: Sequence[str]) -> list[Finding]:
        """The findings with these ids, in this order; unknown ids are left out."""
        ...

    async def find_by_words(self, words: Sequence[str], where: FindingFilter, *, limit: int) -> list[Finding]:
        """Findings that contain one of these words, newest first, without retracted ones."""
        ...

    async def vectors(self) -> AsyncIterator[tuple[Finding, list[float]]]:
        """All findings with their vectors, to rebuild the vector index."""
        ...

    async def findings_of(self, commands: Collection[str]) -> list[tuple[Finding, list[float] | None]]:
        """The findings of commands, each with its vector if it has one yet."""
        ...

    async def put_vectors(self, vectors: Mapping[str, Sequence[float]]) -> None:
        """Store vectors of findings by their ids; an id that is no longer there has no effect."""
        ...

    async def kept_pages(self, shas: Collection[str]) -> set[str]:
        """Those of these pages that are stored. A citation of any other page is marked gone."""
        ...

    async def forget(self, selection: Selection, *, in_use: Collection[str] = ()) -> Removal:
        """Delete everything that the selection covers. Idempotent.

        Pages of forgotten jobs stay if another job cites them or reads them (`in_use`). All findings of a
        command are deleted together. The caller deletes vectors and what Redis holds.
        """
        ...

    async def retain(self, rule: RetentionRule) -> Removal:
        """Delete what the rule no longer keeps. Findings and jobs always stay."""
        ...

    async def due(self, rule: RetentionRule) -> Due:
        """What `retain` would delete now."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class VectorIndex(Protocol):
    """Finds findings by meaning."""

    async def replace(
        self, command: str, findings: Sequence[Finding], vectors: Sequence[Sequence[float]]
    ) -> None:
        """Delete the command's points, then insert these (id: uuid5 of command and ordinal)."""
        ...

    async def search(
        self, vector: Sequence[float], *, limit: int = 10, job: str | None = None
    ) -> list[tuple[str, float]]:
        """(finding id, cosine similarity), best first."""
        ...

    async def recall(
        self, vector: Sequence[float], text: str, *, limit: int = 10, where: FindingFilter = EVERYTHING
    ) -> list[Match]:
        """The findings that fit best by meaning and by words, both rankings fused by rank; best first."""
        ...

    async def rebuild(self, archive: Archive) -> int:
        """Make the index anew from the archive's vectors; returns how many points it has then."""
        ...

    async def count(self) -> int:
        """Number of points in the index."""
        ...

    async def close(self) -> None:
        """Close connections and free memory."""
        ...
