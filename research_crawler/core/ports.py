"""The interfaces between deciding code and the outside world, but for models: those are in `model_ports`.

Every port but frontier, jobs and budget has an in-memory twin beside its adapter, and one suite tests both.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, Protocol

from research_crawler.core.models.commands import Command
from research_crawler.core.models.events import Event
from research_crawler.core.models.findings import Finding
from research_crawler.core.models.jobs import Job, Taken
from research_crawler.core.models.keeping import Due, Removal, RetentionRule, Selection
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
    """Jobs in Redis: the planner's side of the protocol."""

    async def submit(self, job: Job) -> bool:
        """False when a job of this id is there already."""
        ...

    async def take(self, *, max_active: int) -> Taken | None:
        """The next runnable job, or None."""
        ...

    async def renew(self, claims: Mapping[str, str]) -> list[str]:
        """{job: token}: keep them for another 15 s. Answers jobs that are the caller's no more."""
        ...

    async def release(self, claims: Mapping[str, str]) -> int:
        """{job: token}: give claims back in order, so that nobody has to wait for their end."""
        ...

    def runnable_jobs(self) -> AsyncIterator[None]:
        """Yields when a job has become runnable (and at least once a second): the time to call `take`."""
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
        """One atomic step: `ok`, `lost` or `refused`.

        `timers` replace the job's timers: {(kind, number): due in ms of the Redis clock}; `findings` are appended;
        `seen` are canonical URLs that the planner may visit from now on; `withdraw` deletes all its open commands.
        """
        ...

    async def cancel(self, job: str) -> bool:
        """False when it is over or unknown."""
        ...

    async def deliver(self, job: str, event: Event) -> bool:
        """Put an event into the job's mailbox and wake it; False when the job is over or unknown."""
        ...

    async def fire(self) -> int:
        """Move due timers to their mailboxes; how many."""
        ...

    async def get(self, job: str) -> Job | None:
        """The record as committed."""
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
    """Watches in the archive, as the planner sees them. Every method is one transaction."""

    async def due(self, now_ms: int, limit: int = 500) -> list[WatchEntry]:
        """Active watches with a slot to run, the longest due first."""
        ...

    async def claim(self, claims: Sequence[tuple[WatchEntry, RunEntry | None, int | None]]) -> int:
        """(watch as it was read, its run or None, next due time): move them on; how many were ours to move."""
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
        """Move runs on; one that has ended stays as it is."""
        ...

    async def settle(self, watch: str, run: str, readings: Sequence[Reading]) -> list[int]:
        """Take readings in, each once, with what they confirm; answers the pages to be looked at again."""
        ...


class AlertBox(Protocol):
    """Alerts on their way out: claimed before they are sent, so that none goes out twice."""

    async def claim_deliveries(self, now_ms: int, limit: int = 20) -> list[Delivery]:
        """Those that are due, claimed."""
        ...

    async def end_delivery(self, delivery: Delivery, state: str, *, next_ms: int = 0, note: str = "") -> None:
        """What became of a claimed one: sent, due (again), failed or unknown."""
        ...

    async def give_up_deliveries(self, claimed_before_ms: int) -> int:
        """Claims of processes that died: whether they were sent is unknown, and stays so."""
        ...


class Notifier(Protocol):
    """Sends an alert to one place."""

    async def send(self, delivery: Delivery) -> None:
        """Raises NotDelivered, which says whether it can have arrived all the same."""
        ...


class HostWaits(Protocol):
    """How long hosts would let a new visit wait."""

    async def waits(self, slots: Sequence[str]) -> list[float]:
        """Seconds until each slot could start one more download, its queue included."""
        ...


class JobFolder(Protocol):
    """A job's documents on disk."""

    async def write(self, folder: str, documents: Mapping[str, str], *, version: int = 0) -> None:
        """Write these {name: text} atomically, unchanged ones not again. Raises StorageFull with what to do.

        `version` is the job's: what comes late, after a newer version was written, is dropped.
        """
        ...


class Outbox(Protocol):
    """Settled events on their way to the archive and the vector index."""

    async def read(self, consumer: str, *, count: int = 50, block_ms: int = 1000) -> list[tuple[str, Event]]:
        """Entries nobody acknowledged: idle ones of other consumers first, then new ones."""
        ...

    async def ack(self, entries: Sequence[str]) -> None:
        """These entries are in the archive and in the index."""
        ...

    async def forgotten(self, commands: Sequence[str]) -> set[str]:
        """Those of these commands that were forgotten lately: whoever has just indexed one drops it again."""
        ...


class Archive(Protocol):
    """What is kept: pages, finished jobs, evidence. SQL is the truth."""

    async def put_page(self, page: StoredPage, raw: bytes | None) -> None:
        """Store a page and, unless None, its raw bytes (zstd). Idempotent. Raises StorageFull."""
        ...

    async def get_page(self, sha: str) -> StoredPage | None:
        """A page by the hash of its sanitized text."""
        ...

    async def raw_page(self, sha: str) -> bytes | None:
        """The bytes as they came, where kept."""
        ...

    async def index_event(self, event: Event) -> None:
        """Delete by command, then insert the event's findings (uuid5 of command and ordinal)."""
        ...

    async def save_job(self, job: Job, findings: Sequence[Finding], report: Mapping[str, Any]) -> None:
        """A finished job with its report document. Replaces. Raises StorageFull."""
        ...

    async def get_job(self, job: str) -> tuple[Job, list[Finding], dict[str, Any]] | None:
        """A finished job, its findings and its report document."""
        ...

    async def list_jobs(self, limit: int = 100) -> list[Job]:
        """Finished jobs, newest first."""
        ...

    async def find_findings(self, ids: Sequence[str]) -> list[Finding]:
        """Those of these findings that are there, in the order of their ids here."""
        ...

    async def vectors(self) -> AsyncIterator[tuple[Finding, list[float]]]:
        """All findings with their vectors, to rebuild the vector index."""
        ...

    async def kept_pages(self, shas: Collection[str]) -> set[str]:
        """Those of these pages that are there: a citation of another one is marked gone."""
        ...

    async def forget(self, selection: Selection, *, in_use: Collection[str] = ()) -> Removal:
        """Delete what is selected. Pages of forgotten jobs stay where another job cites or (`in_use`) reads them.

        Idempotent. A command's findings go together. Vectors and Redis are the caller's.
        """
        ...

    async def retain(self, rule: RetentionRule) -> Removal:
        """Delete what the rule no longer keeps; findings and jobs are never touched."""
        ...

    async def due(self, rule: RetentionRule) -> Due:
        """What `retain` would delete now."""
        ...

    async def close(self) -> None:
        """Free connections."""
        ...


class VectorIndex(Protocol):
    """Findings by meaning."""

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

    async def count(self) -> int:
        """Points in the index."""
        ...

    async def close(self) -> None:
        """Free what it holds."""
        ...
