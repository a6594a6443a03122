"""Writes findings into the vector index while it answers, and catches up from the archive when it answers again.

The archive has every finding, so an index that is away costs nothing but searches by meaning: the commands that it
lacks are noted in Redis, and events never wait for it. Vectors are made here, behind the jobs, for the findings of
many commands at once.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence

from research_crawler.core.errors import NotStarted
from research_crawler.core.log import get_log
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.ports.archives import Archive, Outbox, VectorIndex
from research_crawler.core.ports.models import Embedder
from research_crawler.text.markdown_blocks.excerpt_markdown import excerpt_text
from research_crawler.text.measures.embedded_text import embedded
from research_crawler.text.measures.normal_quote import normal_quote

ASK_AGAIN_S, ASK_AGAIN_MOST_S = 0.5, 30.0
"""How soon an index that does not answer is asked again; the wait doubles up to the longest one."""
AT_ONCE = 50
"""Events that go into the index at once."""
GATHER_COMMANDS_S = 0.2
"""How long the writer lets commands come together, whose findings it then embeds in one call."""

log = get_log(__name__)
Prepare = Callable[[], Awaitable[None]]


class IndexWriter:
    """The one writer of a process's vector index."""

    def __init__(
        self,
        outbox: Outbox,
        archive: Archive,
        index: VectorIndex,
        prepare: Prepare | None = None,
        *,
        embedder: Embedder,
    ) -> None:
        """Write into `index`.

        Args:
            outbox: notes which commands the index lacks.
            archive: has all findings.
            index: what is written.
            prepare: runs once before the first write, and again until it succeeds: it fills an empty index.
            embedder: makes the vectors of findings.
        """
        self._outbox, self._archive, self._index, self._prepare = outbox, archive, index, prepare
        self._embedder = embedder
        self._is_away = False
        self._woken = asyncio.Event()
        self._catching_up = asyncio.Lock()
        self._lock = (
            asyncio.Lock()
        )  # A command is written by one call at a time, so that the newest state wins.

    @property
    def answers(self) -> bool:
        """Whether the index was prepared, and answered when it was last asked."""
        return self._prepare is None and not self._is_away

    def wake(self) -> None:
        """Catch up soon: commands were noted that the index lacks."""
        self._woken.set()

    async def clear(self, command: str) -> bool:
        """Remove the findings of a command; False if the index does not answer."""
        async with self._lock:
            if self._is_away or not await self._is_prepared():
                return False
            try:
                await self._index.replace(command, [], [])
            except Exception as error:
                self._note(error)
                return False
            return True

    async def run(self) -> None:
        """Catch up until cancelled.

        No `every`: its pauses grow with each fault, those here are short after a fault and long when nothing is left to
        do, and a part that was left undone is no fault.
        """
        wait_s = ASK_AGAIN_S
        while True:
            try:
                is_complete = await self.catch_up()
            except Exception:
                log.exception("the vector index could not be given what it lacks; trying again")
                is_complete = False
            wait_s = ASK_AGAIN_MOST_S if is_complete else min(wait_s, ASK_AGAIN_MOST_S)
            await self._wait(wait_s)
            wait_s = ASK_AGAIN_S if is_complete else wait_s * 2

    async def _wait(self, longest_s: float) -> None:
        """Wait until commands were noted and a few more had time to come, or for the longest time while it is away."""
        if self._is_away:
            await asyncio.sleep(longest_s)
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(longest_s):
                await self._woken.wait()
            await asyncio.sleep(min(GATHER_COMMANDS_S, longest_s))
        self._woken.clear()

    async def catch_up(self) -> bool:
        """Index what the index lacks, from the archive; whether nothing is left to do."""
        async with self._catching_up:
            return await self._is_back() and await self._write_postponed()

    async def _write_postponed(self) -> bool:
        skipped = 0
        while True:
            commands = (await self._outbox.postponed(skipped + AT_ONCE))[skipped:]
            done = await self._write_from_archive(commands)
            await self._outbox.note_indexed(done)
            await self._drop_forgotten(done)
            skipped += len(commands) - len(done)
            if self._is_away or not commands:
                return not self._is_away and not skipped

    async def _is_back(self) -> bool:
        async with self._lock:
            if not await self._is_prepared():
                return False
            if not self._is_away:
                return True
            try:
                await self._index.count()
            except Exception as error:
                self._note(error)
                return False
            self._is_away = False
            log.info("the vector index answers again; it is given what it missed")
            return True

    async def _is_prepared(self) -> bool:
        if self._prepare is None:
            return True
        try:
            await self._prepare()
        except Exception as error:
            self._note(error)
            return False
        self._prepare = None
        return True

    async def _write_from_archive(self, commands: Sequence[str]) -> list[str]:
        """Write the findings of commands as the archive has them; returns the commands that are in the index now."""
        embedded = await self._embed_missing(commands)
        return [command for command in embedded if await self._write_one(command)]

    async def _embed_missing(self, commands: Sequence[str]) -> list[str]:
        """The commands of which all findings have vectors; those that are missing are made in one call and stored.

        A call that fails is made again with half of the commands each: one text must not hold up the others.
        """
        try:
            await self._embed(commands)
        except NotStarted:  # no text can be embedded
            raise
        except Exception as error:
            if len(commands) < 2:
                self._note(error)
                return []
            middle = len(commands) // 2
            return [
                *await self._embed_missing(commands[:middle]),
                *await self._embed_missing(commands[middle:]),
            ]
        return list(commands)

    async def _embed(self, commands: Sequence[str]) -> None:
        missing = [finding for finding, vector in await self._archive.findings_of(commands) if vector is None]
        if not missing:
            return
        vectors = await self._embedder.embed([embedded_text(finding) for finding in missing])
        await self._archive.put_vectors(
            {finding.id: vector for finding, vector in zip(missing, vectors, strict=True)}
        )

    async def _write_one(self, command: str) -> bool:
        async with self._lock:
            if self._is_away:
                return False
            pairs = [
                (found, vector) for found, vector in await self._archive.findings_of([command]) if vector
            ]
            try:
                await self._index.replace(command, [found for found, _ in pairs], [v for _, v in pairs])
            except Exception as error:
                self._note(error)
                return False
            return True

    async def _drop_forgotten(self, commands: list[str]) -> None:
        """Remove again what a user forgot while it was being written."""
        for command in await self._outbox.which_forgotten(commands):
            async with self._lock:
                await self._index.replace(command, [], [])

    def _note(self, error: Exception) -> None:
        """Log that the index is away, once; other faults concern a single command."""
        if not isinstance(error, NotStarted):
            log.warning("a command's findings could not be put into the vector index", reason=repr(error))
        elif not self._is_away:
            log.warning(
                "the vector index does not answer; findings are kept and are indexed when it is back",
                reason=str(error),
            )
            self._is_away = True


def embedded_text(finding: Finding) -> str:
    """The claim and the quote of a finding; one of them alone if it has the words of the other.

    An excerpt has the text by which the brain without a model has compared it, so that it gets one vector for both.
    """
    if normal_quote(finding.claim) == normal_quote(excerpt_text(finding.quote)):
        return embedded(finding.claim)
    return finding.quote if finding.claim in finding.quote else f"{finding.claim}\n{finding.quote}"
