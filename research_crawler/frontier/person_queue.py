"""Interventions in Redis: commands that wait for a person, and the permits of the person's browser."""

import base64
import time
from collections.abc import Callable
from typing import Any, Final, Literal

from research_crawler.core.errors import BadMessage
from research_crawler.core.models.messages.commands import FetchCommand, read_command
from research_crawler.core.models.people.interventions import Intervention, InterventionState
from research_crawler.core.models.why import Why
from research_crawler.frontier.frontier_reader import FrontierReader
from research_crawler.frontier.scripts import as_text

KEPT_MS: Final = 86_400_000
"""How long an intervention that is over is listed."""


class PersonQueue:
    """Asks persons, and ends what they were asked. A waiting command holds no lease, no permit and no host."""

    def __init__(self, frontier: FrontierReader, *, clock: Callable[[], int] | None = None) -> None:
        """`clock` returns ms, for tests."""
        self._frontier, self._keys = frontier, frontier.keys
        self.now_ms = clock or (lambda: int(time.time() * 1000))

    async def ask(
        self, command: FetchCommand, token: str, wall: Why, intervention: Intervention, picture: bytes = b""
    ) -> str:
        """Put a leased command aside until a person has answered.

        Args:
            command: the leased command.
            token: the token of its lease.
            wall: what it met.
            intervention: what is asked, if nobody is asked about the host yet.
            picture: JPEG of the wall.

        Returns:
            The id of the intervention that it waits for; "" if the lease is lost.
        """
        reply = await self._frontier.call(
            "ask_person",
            command.id,
            token,
            intervention.host,
            wall.stored,
            intervention.id,
            intervention.to_wire(),
            intervention.until_ms,
            base64.b64encode(picture).decode(),
        )
        return as_text(reply)

    async def end(self, intervention: Intervention, state: InterventionState) -> int:
        """End an intervention: with `done` its commands go on, else they end as blocked.

        Returns:
            How many commands waited for it; -1 if it was not open any more.
        """
        closed = intervention.changed(state=state, closed_ms=self.now_ms())
        how = "go_on" if state == "done" else "block"
        return int(await self._frontier.call("close_person", intervention.id, closed.to_wire(), how))

    async def extend(self, intervention: Intervention, until_ms: int) -> bool:
        """Wait until a later time for a person who has begun; False if it is not open any more."""
        later = intervention.changed(until_ms=max(until_ms, intervention.until_ms))
        reply = await self._frontier.call("extend_person", later.id, later.to_wire(), later.until_ms)
        return bool(reply)

    async def all(self) -> list[Intervention]:
        """All interventions that are open or were within the last day, newest first."""
        stored: dict[Any, Any] = await self._awaited(self._frontier.redis.hgetall(self._keys.interventions))
        found = [one for text in stored.values() if (one := _read(text))]
        return sorted(found, key=lambda one: (-one.asked_ms, one.id))

    async def get(self, id: str) -> Intervention | None:
        """An intervention, or None if there is none with this id."""
        text = await self._awaited(self._frontier.redis.hget(self._keys.interventions, id))
        return _read(text) if text else None

    async def waiting(self, id: str) -> list[str]:
        """The commands that wait for it."""
        asked = await self._awaited(self._frontier.redis.smembers(self._keys.asked(id)))
        ids = sorted(as_text(one) for one in asked)
        if not ids:
            return []
        texts = await self._awaited(self._frontier.redis.hmget(self._keys.commands, ids))
        commands = [read_command(text) for text in texts if text]
        return [
            command.id
            for command in commands
            if isinstance(command, FetchCommand) and command.intervention == id
        ]

    async def picture(self, id: str) -> bytes:
        """JPEG of the wall; empty if there is none."""
        text = await self._frontier.redis.get(self._keys.picture(id))
        return base64.b64decode(text) if text else b""

    async def sweep(self) -> int:
        """End what nobody answered in time or no job waits for, and drop what ended a day ago; how many ended."""
        ended, now_ms = 0, self.now_ms()
        for intervention in await self.all():
            if intervention.state == "open":
                state: InterventionState | Literal[""] = "expired" if intervention.until_ms <= now_ms else ""
                state = state or ("" if await self.waiting(intervention.id) else "over")
                ended += 1 if state and await self.end(intervention, state) >= 0 else 0
            elif intervention.closed_ms + KEPT_MS < now_ms:
                await self._awaited(self._frontier.redis.hdel(self._keys.interventions, intervention.id))
        return ended

    async def take_navigation_permit(self, slot: str, permit: str) -> int:
        """Take a permit of a host for a navigation; ms until it can be asked for again, or 0 if it was granted."""
        return int(await self._frontier.call("person_permit", slot, permit, "take"))

    async def return_navigation_permit(self, slot: str, permit: str) -> None:
        """Return such a permit: the navigation has ended."""
        await self._frontier.call("person_permit", slot, permit, "return")

    @staticmethod
    async def _awaited(reply: Any) -> Any:
        return await reply


def _read(text: Any) -> Intervention | None:
    try:
        return Intervention.from_wire(text)
    except BadMessage:
        return None
