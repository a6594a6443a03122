"""The interfaces between the deciding code and the outside world; those to models are in `model_ports`.

Every port except frontier, jobs and budget also has an in-memory adapter for tests, and one suite tests both.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, Protocol

from research_crawler.core.models.commands import Command
from research_crawler.core.models.events import Event
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.in_flight import Look
from research_crawler.core.models.jobs import Job, Taken
from research_crawler.core.models.keeping import Due, Removal, RetentionRule, Selection
from research_crawler.core.models.memory import EVERYTHING, FindingFilter, Match
from research_crawler.core.models.pages import StoredPage
from research_crawler.core.models.watches import (
    Delivery,
    Reading,
    RunEntry,
    RunState,
    Watch,
    WatchEntry,
)


class JobStore(Protocol):
    """The store of jobs in Redis, as the planner uses it."""

    async def submit(self, job: Job) -> bool:
        """Store a new job; False if there is already a job with this id."""
        ...

    async def take(self, *, max_active: int) -> Taken | None:
        """Claim the next runnable job, or return None."""
        ...

    async def renew(self, claims: Mapping[str, str]) -> list[str]:
        """Keep the claims {job: token} for another 15 s. Returns the jobs whose claim is lost."""
        ...

    async def release(self, claims: Mapping[str, str]) -> int:
        """Return the claims {job: token}, so that other workers need not wait until they expire."""
        ...

    def runnable_jobs(self) -> AsyncIterator[None]:
        """Yields when a job has become runnable, and at least once a second. Then call `take`."""
        ...

    async def commit(
        self,
        taken: Taken,
        new: Job,
        *,
        commands: Sequence[Command] = (),
        timers: Mapping[tuple[str, int], int] | None = None,
        findings: Sequence[Finding] = (),
        seen: Sequence[str] = (),
        withdraw: bool = False,
    ) -> str:
        """Commit one decision atomically. Returns `ok`, `lost` or `refused`.

        `timers` replace the job's timers: {(kind, number): due in ms of the Redis clock}. `findings` are
        appended. `seen` are canonical URLs that the planner may visit from now on. `withdraw` deletes all
        open commands.
        """
        ...

    async def cancel(self, job: str) -> bool:
        """Cancel a job; False if it has ended or is unknown."""
        ...

    async def deliver(self, job: str, event: Event) -> bool:
        """Put an event into the job's mailbox and wake the job; False if the job has ended or is unknown."""
        ...

    async def fire(self) -> int:
        """Move due timers into the mailboxes of their jobs, and return their number."""
        ...

    async def get(self, job: str) -> Job | None:
        """The committed record of a job; None if there is none."""
        ...

    async def findings(self, job: str) -> list[Finding]:
        """All findings committed so far, in order."""
        ...

    async def seen(self, job: str, urls: Sequence[str]) -> list[bool]:
        """Which of these canonical URLs the job may visit."""
        ...

    async def list_jobs(self) -> list[Job]:
        """All jobs that Redis still holds, newest first."""
        ...

    def changes(self, job: str) -> AsyncIterator[None]:
        """Yields after every commit of the job (and at least once a second)."""
        ...


class WatchStore(Protocol):
    """The store of watches in the archive, as the planner uses it. Every method is one transaction."""

    async def due(self, now_ms: int, limit: int = 500) -> list[WatchEntry]:
        """Active watches that are due, the longest due first."""
        ...

    async def claim(self, claims: Sequence[tuple[WatchEntry, RunEntry | None, int | None]]) -> int:
        """Move watches to their next due time; returns how many claims succeeded.

        A claim is the watch as it was read, its new run or None, and its next due time.
        """
        ...

    async def runs_in(
        self, state: RunState, *, before_ms: int | None = None, limit: int = 500
    ) -> list[tuple[RunEntry, Watch]]:
        """Runs in this state with their watches, oldest first."""
        ...

    async def count_runs(self, state: RunState) -> int:
        """How many runs are in this state."""
        ...

    async def mark_runs(
        self, runs: Collection[str], state: RunState, *, now_ms: int = 0, note: str = ""
    ) -> None:
        """Set the state of open runs; a run that has ended stays as it is."""
        ...

    async def settle(self, watch: str, run: str, readings: Sequence[Reading]) -> list[int]:
        """Store readings once, with what they confirm; returns the pages that need a second fetch."""
        ...


class AlertBox(Protocol):
    """The deliveries of alerts. A delivery is claimed before it is sent, so it is never sent twice."""

    async def claim_deliveries(self, now_ms: int, limit: int = 20) -> list[Delivery]:
        """Claim the deliveries that are due."""
        ...

    async def end_delivery(self, delivery: Delivery, state: str, *, next_ms: int = 0, note: str = "") -> None:
        """Record the outcome of a claimed delivery: sent, due again, failed or unknown."""
        ...

    async def give_up_deliveries(self, claimed_before_ms: int) -> int:
        """End the claims of processes that died; their state becomes unknown, and they are not sent again."""
        ...


class Notifier(Protocol):
    """Sends an alert to one place."""

    async def send(self, delivery: Delivery) -> None:
        """Send one alert. Raises NotDelivered, which says whether it may have arrived."""
        ...


class HostWaits(Protocol):
    """Tells how long a new visit of a host would wait, and where the commands of a job are."""

    async def waits(self, slots: Sequence[str]) -> list[float]:
        """Seconds until each slot could start one more download, after those in its queue."""
        ...

    async def look(self, job: str) -> Look:
        """Which of a job's commands wait, which are worked on and for how long, and whether a crawler is alive."""
        ...


class JobFolder(Protocol):
    """Writes the documents of a job to its folder."""

    async def write(self, folder: str, documents: Mapping[str, str], *, version: int = 0) -> None:
        """Write documents {name: text} atomically, unless unchanged. Raises StorageFull, which says what to
        do.

        `version` is the job's. Documents that come after a newer version are dropped.
        """
        ...


class Outbox(Protocol):
    """The stream of settled events for the archive and the vector index."""

    async def read(self, consumer: str, *, count: int = 50, block_ms: int = 1000) -> list[tuple[str, Event]]:
        """Entries that nobody has acknowledged: first those that other consumers left idle, then new ones."""
        ...

    async def ack(self, entries: Sequence[str]) -> None:
        """Remove entries that are now in the archive and in the index."""
        ...

    async def postpone(self, events: Mapping[str, Event]) -> None:
        """Remove entries that are in the archive, and note that the vector index still lacks their commands."""
        ...

    async def postponed(self, count: int) -> list[str]:
        """Commands that the vector index lacks, those that wait longest first."""
        ...

    async def caught_up(self, commands: Sequence[str]) -> None:
        """The vector index has these commands now."""
        ...

    async def forgotten(self, commands: Sequence[str]) -> set[str]:
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

    async def index_event(self, event: Event) -> None:
        """Delete by command, then insert the event's findings (uuid5 of command and ordinal)."""
        ...

    async def recorded_events(self, job: str) -> list[Event]:
        """The events of a job's commands, in the order in which they came, without vectors."""
        ...

    async def retract(self, job: str, findings: Collection[str]) -> None:
        """Mark findings (ids) as rejected by a person in a review of this job, also those that are indexed later.

        `find_findings` and `vectors_of` return them with the mark; `vectors` leaves them out.
        """
        ...

    async def save_job(self, job: Job, findings: Sequence[Finding], report: Mapping[str, Any]) -> None:
        """Store or replace a finished job with its report document. Raises StorageFull."""
        ...

    async def get_job(self, job: str) -> tuple[Job, list[Finding], dict[str, Any]] | None:
        """A finished job, its findings and its report document."""
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

    async def vectors_of(self, command: str) -> list[tuple[Finding, list[float]]]:
        """The findings of a command that have a vector."""
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
