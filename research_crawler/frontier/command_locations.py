"""Where the open commands of a job are: what status shows of its waiting."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from research_crawler.frontier.scripts import as_text


@dataclass(frozen=True, slots=True)
class CommandLocation:
    """Where one open command of a job is, for showing what the job waits for."""

    command: str
    kind: str
    """Kind of the command: search, visit, vendor, request."""
    leased: bool
    """A node works on it; otherwise it waits in a queue."""
    queue: str
    """The queue it is in, or was leased from: search, page, vendor, render, own.<spider>; in `person`, which no node
    serves, it waits for a person."""
    slot: str
    """Queued: the host or provider that it waits for; `_` if it only waits for a node. Leased: the host or provider
    whose permit it holds, or ""."""
    for_ms: int
    """Time since it was queued there, or leased."""
    free_in_ms: int
    """Queued: ms until the slot can give a permit, at the latest; 0: now, so that it waits for those before it or for a
    node."""
    before: int
    """Queued: how many commands of this queue come before it."""
    is_full: bool = False
    """Queued: the slot waits for downloads that are under way, of this job or of others; each may end at any moment."""

    @property
    def provider(self) -> str:
        """The search provider it waits for, if that has a slot of its own (`<provider>@<host>`); else ""."""
        name, mark, _ = self.slot.partition("@")
        return name if mark else ""


def location_of(row: Sequence[Any]) -> CommandLocation:
    """One row of the reply of `lua/places.lua`."""
    command, kind, where, queue, slot = (as_text(value) for value in row[:5])
    for_ms, free_in_ms, before, full = row[5:]
    return CommandLocation(
        command=command,
        kind=kind,
        leased=where == "leased",
        queue=queue,
        slot=slot,
        for_ms=for_ms,
        free_in_ms=free_in_ms,
        before=before,
        is_full=bool(full),
    )
