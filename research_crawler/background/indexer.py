"""The indexer: copies settled events from the outbox into the archive and the vector index.

The archive comes first and waits for nothing else. An entry is acknowledged when the archive has it and the index has
it too, or is noted as lacking it (`index_writer`). Both replace what they hold for the command. An entry may therefore
be read twice, by this process after an error or by another one after a kill, and nothing changes.
"""

import asyncio
import secrets

from research_crawler.background.index_writer import IndexWriter, Prepare
from research_crawler.core import failpoints
from research_crawler.core.errors import StorageFull
from research_crawler.core.log import get_log
from research_crawler.core.models.messages.events import CommandDone
from research_crawler.core.ports.archives import Archive, Outbox, VectorIndex
from research_crawler.core.ports.models import Embedder

FIRST_WAIT_S = 0.5
"""Wait after the first failure of the archive; each further one doubles it."""
LONGEST_WAIT_S = 30.0
"""The wait after an error doubles up to the longest one, which is short enough for a user who watches."""

LAST_LOOK_S = 0.05
"""How often a process that ends looks whether all events are in the archive."""

log = get_log(__name__)


class Indexer:
    """Reads the outbox until it is cancelled. Several processes may run one at the same time."""

    def __init__(
        self,
        outbox: Outbox,
        archive: Archive,
        index: VectorIndex,
        prepare: Prepare | None = None,
        *,
        embedder: Embedder,
    ) -> None:
        """`prepare` fills an empty index before the first write; `embedder` makes the vectors of findings."""
        self._outbox, self._archive = outbox, archive
        self._writer = IndexWriter(outbox, archive, index, prepare, embedder=embedder)
        self._consumer = f"indexer-{secrets.token_hex(4)}"
        self._failed: dict[str, CommandDone] = {}
        """Entries to try again. They are not acknowledged, so another process may take them over."""
        self._disk_was_full = False

    @property
    def index_answers(self) -> bool:
        """Whether the vector index is ready for searches."""
        return self._writer.answers

    async def run(self) -> None:
        """Index until cancelled. An error is logged, its entries are tried again, and nothing is lost."""
        async with asyncio.TaskGroup() as loops:
            loops.create_task(self._writer.run())
            loops.create_task(self._read_outbox())

    async def finish(self) -> None:
        """Return when all events are in the archive and the index was given once what it lacked, while `run` runs."""
        while await self._outbox.count():  # noqa: ASYNC110 – other processes read it too
            await asyncio.sleep(LAST_LOOK_S)
        await self._writer.catch_up()

    async def _read_outbox(self) -> None:
        """Index what comes, until cancelled.

        No `every`: reading waits for entries by itself, so that there is a pause only after a fault, and a fault is an
        entry that could not be written, for which nothing is raised: the others go on.
        """
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

        All go to the archive concurrently, so that it writes them as one group; then to the index.

        Returns:
            how many entries were indexed and acknowledged.
        """
        entries = self._failed | dict(await self._outbox.read(self._consumer, block_ms=block_ms))
        faults, lacking = await self._index(entries)
        kept = {entry: event for entry, event in entries.items() if entry not in faults}
        again = await self._forgotten(kept)
        more_faults, still_lacking = await self._index(again)
        faults |= more_faults
        lacking = {entry: event for entry, event in lacking.items() if entry not in again} | still_lacking
        self._failed = {entry: entries[entry] for entry in faults}
        done = [entry for entry in entries if entry not in faults]
        await self._outbox.postpone(lacking)
        if lacking:
            self._writer.wake()
        if indexed := [entry for entry in done if entry not in lacking]:
            await self._outbox.ack(indexed)
        self._report(list(faults.values()), done=bool(done))
        return len(done)

    async def _forgotten(self, indexed: dict[str, CommandDone]) -> dict[str, CommandDone]:
        """Entries that a user forgot while they were being indexed, emptied, so that they are removed again."""
        commands = [event.command for event in indexed.values() if event.command]
        forgotten = await self._outbox.which_forgotten(commands)
        return {
            entry: event.changed(findings=[])
            for entry, event in indexed.items()
            if event.command in forgotten
        }

    async def _index(
        self, entries: dict[str, CommandDone]
    ) -> tuple[dict[str, Exception], dict[str, CommandDone]]:
        """Write entries; returns the faults of the archive, and the entries that the index lacks."""
        results = await asyncio.gather(*(self._archive_one(event) for event in entries.values()))
        faults = {entry: fault for entry, fault in zip(entries, results, strict=True) if fault is not None}
        lacking: dict[str, CommandDone] = {}
        for entry, event in entries.items():
            # One after the other: of an index that hangs only the first write waits for its deadline. Findings are
            # left to the writer, which makes the vectors of many events at once.
            is_archived = entry not in faults and event.command
            if is_archived and (event.findings or not await self._writer.clear(event.command)):
                lacking[entry] = event
        return faults, lacking

    async def _archive_one(self, event: CommandDone) -> Exception | None:
        try:
            failpoints.failpoint("before-index")
            await self._archive.index_event(event)
            failpoints.failpoint("mid-index")
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
