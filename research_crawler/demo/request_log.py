"""The log of all requests to the demo web, with their times: the ground truth for measuring politeness."""

import time

from research_crawler.core.models.base import Frozen


class Served(Frozen):
    """One request. Times are CLOCK_MONOTONIC in ms, the same in all processes of a machine."""

    host: str
    """The IP address of the host."""
    path: str
    """The path with its query."""
    start_ms: float
    """When the head of the request had been read."""
    end_ms: float
    """When the last byte had been written, or the connection was lost."""
    status: int
    """0 if the client disconnected before the response was complete."""
    user_agent: str = ""


def monotonic_ms() -> float:
    """The time on the clock that the log uses."""
    return time.monotonic_ns() / 1e6


def gaps_ms(log: list[Served], *, paths_except: frozenset[str] = frozenset()) -> dict[str, list[float]]:
    """By host, the times from the end of each response to the next request; negative if they overlapped."""
    gaps: dict[str, list[float]] = {}
    last_end: dict[str, float] = {}
    for entry in sorted(log, key=lambda served: served.start_ms):
        if entry.path in paths_except:
            continue
        if entry.host in last_end:
            gaps.setdefault(entry.host, []).append(entry.start_ms - last_end[entry.host])
        last_end[entry.host] = max(entry.end_ms, last_end.get(entry.host, entry.end_ms))
    return gaps
