"""Hosts that a page asks only to count, follow or advertise to its reader: the browser does not get to them."""

from functools import cache
from pathlib import Path
from typing import Final

LIST: Final = Path(__file__).with_name("trackers.txt")


def is_tracker(host: str) -> bool:
    """Whether a host, or a domain it belongs to, is on the list."""
    labels = host.rstrip(".").lower().split(".")
    return any(".".join(labels[start:]) in _domains() for start in range(len(labels) - 1))


@cache
def _domains() -> frozenset[str]:
    lines = (line.strip() for line in LIST.read_text("utf-8").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))
