"""One check: its state, what was checked, what was found, and what to do about it."""

from dataclasses import dataclass
from typing import Final, Literal

CheckState = Literal["ok", "warn", "bad", "off"]
"""bad: something is broken; off: it is switched off, or not installed, and nothing needs it."""
NAMED: Final = 3
"""How many failed watches, or models of a server, are named in a check."""


@dataclass(frozen=True)
class HealthCheck:
    """What one check has found."""

    state: CheckState
    name: str
    text: str
    todo: str = ""
    """What a person does about it; empty: nothing is to be done."""

    @property
    def line(self) -> str:
        """What was found and what to do, on one line."""
        return "; ".join(filter(None, (self.text, self.todo)))
