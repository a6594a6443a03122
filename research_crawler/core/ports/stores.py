"""The interfaces between the deciding code and the outside world: jobs, their folders, and who waits for whom.

Every port except frontier, jobs and budget also has an in-memory adapter for tests, and one suite tests both.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol

from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.job import ClaimedJob, Job
from research_crawler.core.models.messages.commands import Command
from research_crawler.core.models.messages.events import Event
from research_crawler.core.models.messages.in_flight import InFlightSnapshot


class JobStore(Protocol):
    """The store of jobs in Redis, as the planner uses it."""

    async def submit(self, job: Job) -> bool:
        """Store a new job; False if there is already a job with this id."""
        ...

    async def take(self, *, max_active: int, rows_beside: int = 0) -> ClaimedJob | None:
        """Claim the next runnable job, or return None.

        While a single job is under way, at most `rows_beside` rows of batches go on (0: all).
        """
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
        taken: ClaimedJob,
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


class HostWaits(Protocol):
    """Tells how long a new visit of a host would wait, and where the commands of a job are."""

    async def waits(self, slots: Sequence[str]) -> list[float]:
        """Seconds until each slot could start one more download, after those in its queue."""
        ...

    async def look(self, job: str) -> InFlightSnapshot:
        """Which of a job's commands wait, which are worked on and for how long, and whether a crawler is alive."""
        ...


class JobFolder(Protocol):
    """Writes the documents of a job to its folder."""

    async def write(
        self, folder: str, documents: Mapping[str, str], *, version: int = 0, again: bool = False
    ) -> None:
        """Write documents {name: text} atomically, unless unchanged. Raises StorageFull, which says what to
        do.

        `version` is the job's. Documents that come after a newer version are dropped. `again`: also unchanged ones,
        which another process may have replaced.
        """
        ...
