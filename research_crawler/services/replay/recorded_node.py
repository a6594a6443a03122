"""Answers the commands of a replay from the recorded events, without a network and in their order."""

import asyncio
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from research_crawler.core.models.jobs.job import Job
from research_crawler.core.models.messages.commands import (
    Command,
    FetchCommand,
    Lease,
    SearchCommand,
    SectionCommand,
)
from research_crawler.core.models.messages.events import CommandDone, SearchResult
from research_crawler.core.models.people.interventions import Intervention
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.frontier.frontier_reader import SPIDERS
from research_crawler.runtime.container import Container
from research_crawler.text.measures.likeness import Bm25

_FREE, _PERMITS = 64, 10_000
"""Commands that a replay takes at once, and permits that its host and model have."""
_LOOK_S: Final = 0.02
"""How often a replay looks for commands."""
_MOST_FOUND: Final = 10
"""Most results that a replayed search gives."""
_QUIET_LOOKS: Final = 150
"""After so many looks without a command and a step of the planner, the job waits for what has not been answered. Looks
and no seconds: a step that keeps the process busy for long would look like a job that waits."""
_FOR_EVER_MS: Final = 2**52
"""A time that no replay reaches."""


@dataclass(frozen=True)
class Recorded:
    """The recorded event that answers a command."""

    place: int
    """In the recorded order."""
    event: CommandDone
    late_in: int = 0
    """The round in which it came, if the job had gone on because a person was asked to open the page's host."""


_Answered = tuple[Lease, Recorded | None]


@dataclass(frozen=True)
class _PutAside:
    intervention: Intervention
    late_in: int
    """The round in which the page came."""


class RecordedEvents:
    """Finds the recorded event that answers a command."""

    def __init__(self, job: Job, events: Sequence[CommandDone]) -> None:
        """`job` as it was archived: its records say what each command asked for."""
        self._asked = {search.command: f"search {search.query}" for search in job.searches}
        self._asked |= {visit.command: f"visit {visit.url} {visit.section}" for visit in job.visits}
        late_in = {visit.command: visit.settled_in for visit in job.visits if visit.left_to_person}
        self._by_command: dict[str, Recorded] = {}
        self._by_key: dict[str, list[Recorded]] = {}
        for place, event in enumerate(events):
            recorded = Recorded(place, event, late_in.get(event.command, 0))
            self._by_command[event.command] = recorded
            for key in self._keys_of(event):
                self._by_key.setdefault(key, []).append(recorded)
        read = {url for visit in job.visits if visit.outcome == "ok" for url in (visit.url, visit.final_url)}
        found = {result.url: result for event in events for result in event.results}
        self._results = sorted(found.values(), key=lambda result: result.url not in read)
        """All results of the job, those first whose pages it has read."""

    def find(self, command: Command) -> Recorded | None:
        """The event; None if the recorded job asked for no such thing."""
        key = command_key(command)
        recorded = self._by_command.get(command.id)
        if recorded and (self._asked.get(command.id, key) == key):
            return recorded
        for found in self._by_key.get(key, ()):
            event = found.event.changed(uid=f"replay/{command.id}", command=command.id)
            return Recorded(found.place, event, found.late_in)
        return None

    def is_unanswered(self, command: Command) -> bool:
        """Whether the job gave this command and ended before anything came of it."""
        return command_key(command) in self._asked.values() and self.find(command) is None

    def nearest(self, query: str) -> list[SearchResult]:
        """What a search that the job did not make would find among all that its searches have found."""
        scores = Bm25([f"{one.title} {one.snippet}" for one in self._results]).scores(query)
        ranked = sorted(zip(scores, self._results, strict=True), key=lambda pair: -pair[0])
        return [one for score, one in ranked if score > 0][:_MOST_FOUND]

    def _keys_of(self, event: CommandDone) -> set[str]:
        keys = {asked} if (asked := self._asked.get(event.command)) else set()
        if event.query:
            keys.add(f"search {event.query}")
        if event.page and not keys:
            keys |= {f"visit {url} " for url in (event.page.url, event.page.final_url) if url}
        return keys


def command_key(command: Command) -> str:
    """What a command asks for, as one text."""
    if isinstance(command, SearchCommand):
        return f"search {command.query}"
    heading = command.section.heading if isinstance(command, SectionCommand) else ""
    return f"visit {command.first_url} {heading}"


class RecordedNode:
    """A crawler node without a network: it leases commands and settles them with recorded events, in their order.

    A page whose host a person had to open is put aside as it was then, so that the job goes on without it. It comes
    with the other pages of the round in which it came, or once the job asks for nothing else. A command that was
    still under way when the job ended stays so, unless nothing else is left to do.
    """

    def __init__(
        self,
        container: Container,
        events: RecordedEvents,
        *,
        is_planning: Callable[[], bool],
        settling: asyncio.Lock,
    ) -> None:
        """`is_planning` says whether the planner works on a step of the job; none begins while `settling` is held."""
        self._frontier, self._people, self._events = container.frontier, container.people, events
        self._is_planning, self._settling = is_planning, settling
        self._aside: dict[int, _PutAside] = {}
        self._opened: set[str] = set()
        """Commands that were put aside once."""
        self._returning: set[str] = set()
        """Commands that were put aside and come back at one of the next looks."""
        self._held: list[_Answered] = []
        self._under_way: list[Lease] = []
        self.not_recorded: list[str] = []

    async def run(self) -> None:
        """Answer commands until cancelled."""
        node, quiet_looks = f"replay-{secrets.token_hex(4)}", 0
        await self._frontier.configure(default_delay_ms=0, host_permits=_PERMITS, model_permits=_PERMITS)
        while True:
            kept = [*(lease for lease, _ in self._held), *self._under_way]
            await self._frontier.beat(node, {lease.command.id: lease.token for lease in kept})
            leases = await self._frontier.lease(node, _FREE, SPIDERS)
            found = [*self._held, *((lease, self._events.find(lease.command)) for lease in leases)]
            quiet_looks = 0 if found or self._is_planning() else quiet_looks + 1
            await self._answer(sorted(found, key=lambda pair: _place_of(pair[1])))
            if quiet_looks > _QUIET_LOOKS:
                await self._go_on()
            await asyncio.sleep(_LOOK_S)

    async def _answer(self, found: Sequence[_Answered]) -> None:
        """Settle commands with their events, or hold them until the late pages of their round have come back."""
        answered: list[_Answered] = []
        for lease, recorded in found:
            self._returning.discard(lease.command.id)
            command = lease.command
            is_late = recorded is not None and recorded.late_in and command.id not in self._opened
            if recorded and is_late and isinstance(command, FetchCommand):
                await self._put_aside(lease.token, command, recorded)
            elif recorded is None and self._events.is_unanswered(command):
                self._under_way.append(lease)
            else:
                answered.append((lease, recorded))
        round_no = max((lease.command.round for lease, _ in answered), default=0)
        for place in [place for place, aside in self._aside.items() if aside.late_in <= round_no]:
            await self._open(place)
        self._held = answered if self._returning else []
        if not self._held:
            async with self._settling:
                for lease, recorded in answered:
                    event = recorded.event if recorded else self._not_recorded(lease.command)
                    await self._frontier.settle(event, lease.token)

    async def _put_aside(self, token: str, command: FetchCommand, recorded: Recorded) -> None:
        """As if its host had shown a wall again: each page for itself, because each came back at its own time."""
        intervention = Intervention(
            id=secrets.token_hex(5),
            host=command.id,
            url=command.url,
            kind=Reason.CAPTCHA,
            job=command.job,
            asked_ms=0,
            until_ms=_FOR_EVER_MS,
        )
        self._opened.add(command.id)
        if await self._people.ask(command, token, Why(Reason.CAPTCHA), intervention):
            self._aside[recorded.place] = _PutAside(intervention, recorded.late_in)

    async def _go_on(self) -> None:
        """Answer something that was put off, because the job waits for nothing else."""
        if self._aside:
            await self._open(min(self._aside))
            return
        leases, self._under_way = self._under_way, []
        for lease in leases:
            await self._frontier.settle(_failed(lease.command), lease.token)

    async def _open(self, place: int) -> None:
        """Let a page that was put aside go on."""
        intervention = self._aside.pop(place).intervention
        self._returning.add(intervention.host)
        await self._people.end(intervention, "done")

    def _not_recorded(self, command: Command) -> CommandDone:
        """What becomes of a command that the job did not give: a search looks through what the job has found."""
        self.not_recorded.append(command_key(command).strip())
        if isinstance(command, SearchCommand) and (found := self._events.nearest(command.query)):
            return CommandDone(
                uid=f"replay/{command.id}",
                job=command.job,
                command=command.id,
                round=command.round,
                query=command.query,
                results=found,
            )
        return _failed(command)


def _failed(command: Command) -> CommandDone:
    """The event of a command of which nothing was recorded."""
    return CommandDone(
        uid=f"replay/{command.id}",
        job=command.job,
        command=command.id,
        round=command.round,
        outcome="failed",
        reason=Why(Reason.NOT_KEPT, "not recorded"),
    )


def _place_of(recorded: Recorded | None) -> int:
    """Where a command stands in the order; one that was not recorded comes last."""
    return recorded.place if recorded else sys.maxsize
