"""Knows the hosts of trackers and advertisements, to which the browser must not connect."""

from functools import cache
from pathlib import Path
from typing import Final

LIST: Final = Path(__file__).with_name("trackers.txt")


def is_tracker(host: str) -> bool:
    """Whether the host, or a domain above it, is on the list."""
    labels = host.rstrip(".").lower().split(".")
    return any(".".join(labels[start:]) in _domains() for start in range(len(labels) - 1))


@cache
def _domains() -> frozenset[str]:
    lines = (line.strip() for line in LIST.read_text("utf-8").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))
