"""The indexer: copies settled events from the outbox into the archive and the vector index.

An entry is acknowledged when both have stored it. Both replace what they hold for the command. An entry may
therefore be read twice, by this process after an error or by another one after a kill, and nothing changes.
"""

import asyncio
import secrets

import structlog

from research_crawler.core import failpoints
from research_crawler.core.errors import MessageError, StorageFull
from research_crawler.core.models.events import Event
from research_crawler.core.ports.stores import Archive, Outbox, VectorIndex
from research_crawler.core.vectors import unpack_vector

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
"""The wait after an error doubles up to the longest one, which is short enough for a user who watches."""

log = structlog.get_logger(__name__)


class Indexer:
    """Reads the outbox until it is cancelled. Several processes may run one at the same time."""

    def __init__(self, outbox: Outbox, archive: Archive, index: VectorIndex) -> None:
        self._outbox, self._archive, self._index = outbox, archive, index
        self._consumer = f"indexer-{secrets.token_hex(4)}"
        self._failed: dict[str, Event] = {}
        """Entries to try again. They are not acknowledged, so another process may take them over."""
        self._disk_was_full = False

    async def run(self) -> None:
        """Index until cancelled. An error is logged, its entries are tried again, and nothing is lost."""
        wait_s = FIRST_WAIT_S
        while True:
            try:
                done = await self.index_some()
            except Exception:
                log.exception("the outbox could not be read or acknowledged; trying again")
                done = 0
                failed = True
            else:
                failed = bool(self._failed)
            if not failed or done:
                wait_s = FIRST_WAIT_S
            if failed:
                await asyncio.sleep(wait_s)
                wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    async def index_some(self, *, block_ms: int = 1000) -> int:
        """Index the entries that failed before, those that wait, and those that arrive within `block_ms`.

        All run concurrently, so that the archive writes them as one group.

        Returns:
            how many entries were indexed and acknowledged.
        """
        entries = self._failed | dict(await self._outbox.read(self._consumer, block_ms=block_ms))
        results = await asyncio.gather(*(self._index_one(event) for event in entries.values()))
        faults = {entry: fault for entry, fault in zip(entries, results, strict=True) if fault is not None}
        faults |= await self._drop_forgotten({e: event for e, event in entries.items() if e not in faults})
        self._failed = {entry: entries[entry] for entry in faults}
        done = [entry for entry in entries if entry not in faults]
        if done:
            await self._outbox.ack(done)
        self._report(list(faults.values()), done=bool(done))
        return len(done)

    async def _drop_forgotten(self, indexed: dict[str, Event]) -> dict[str, Exception]:
        """Remove entries that a user forgot while they were being indexed, and return those that failed."""
        commands = [event.command for event in indexed.values() if event.command]
        forgotten = await self._outbox.forgotten(commands)
        faults: dict[str, Exception] = {}
        for entry, event in indexed.items():
            if event.command in forgotten:
                fault = await self._index_one(event.changed(findings=[], vectors=[]))
                faults |= {entry: fault} if fault else {}
        return faults

    async def _index_one(self, event: Event) -> Exception | None:
        try:
            failpoints.reach("before-index")
            vectors = [unpack_vector(text) for text in event.vectors]
            await self._archive.index_event(event)
            failpoints.reach("mid-index")
            if event.command:
                await self._index.replace(event.command, event.findings[: len(vectors)], vectors)
        except MessageError as error:
            # Another attempt would fail too. The job's own record has the findings.
            log.warning(
                "an event with malformed vectors is not indexed", command=event.command, reason=str(error)
            )
        except Exception as error:
            return error
        return None

    def _report(self, faults: list[Exception], *, done: bool) -> None:
        full = [fault for fault in faults if isinstance(fault, StorageFull)]
        others = [fault for fault in faults if not isinstance(fault, StorageFull)]
        if full and not self._disk_was_full:
            log.warning("indexing waits for free disk space; nothing is lost", reason=str(full[0]))
        if others:
            log.warning("indexing failed; trying again", entries=len(others), reason=repr(others[0]))
        self._disk_was_full = bool(full) or (self._disk_was_full and not done)
