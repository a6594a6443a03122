"""What becomes of a job's open commands: which wait, which are worked on, and for how long."""

from pydantic import Field

from research_crawler.core.models.base import Frozen


class InFlight(Frozen):
    """A command without an event yet."""

    command: str
    is_leased: bool
    """A node works on it; otherwise it waits in a queue."""
    asks_person: bool = False
    """It waits for a person to open its host's wall."""
    worked_ms: int = 0
    """Work for it under this lease, as of the node's last heartbeat."""
    free_in_ms: int = 0
    """If it waits: for how long its host gives no permit at all; 0 for a search, which waits without end."""


class InFlightSnapshot(Frozen):
    """What a job's step sees of its open commands."""

    commands: list[InFlight] = Field(default_factory=list)
    nodes: int = 1
    """Number of crawler nodes that are alive."""
