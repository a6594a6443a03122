"""What the demo web was asked, and when: the ground truth of politeness measurements."""

import time

from research_crawler.core.models.base import Frozen


class Served(Frozen):
    """One request. Times are CLOCK_MONOTONIC in ms, which all processes of one machine share."""

    host: str
    """IP address that was asked."""
    path: str
    """Path with query."""
    start_ms: float
    """The request's head had been read."""
    end_ms: float
    """The last byte had been written, or the connection was gone."""
    status: int
    """0 where the client went away before the answer had ended."""
    user_agent: str = ""


def monotonic_ms() -> float:
    """The clock of the log."""
    return time.monotonic_ns() / 1e6


def gaps_ms(log: list[Served], *, paths_except: frozenset[str] = frozenset()) -> dict[str, list[float]]:
    """Per host, from the end of each response to the start of the next request; negative: they overlapped."""
    gaps: dict[str, list[float]] = {}
    last_end: dict[str, float] = {}
    for entry in sorted(log, key=lambda served: served.start_ms):
        if entry.path in paths_except:
            continue
        if entry.host in last_end:
            gaps.setdefault(entry.host, []).append(entry.start_ms - last_end[entry.host])
        last_end[entry.host] = max(entry.end_ms, last_end.get(entry.host, entry.end_ms))
    return gaps
