"""The slots of a watch: times by interval or cron, each moved by a jitter that every process computes alike. Pure.

A slot is named by its nominal time in ms; `due_ms` is the time to run it. The due times have the order of the slots.
"""

import re
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice, pairwise, takewhile
from uuid import uuid5
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from research_crawler.core.errors import UsageError
from research_crawler.core.models.watches.watch import WATCH_SPACE, Schedule, short_id
from research_crawler.core.text.translatable import translatable

MINUTE_MS, DAY_MS = 60_000, 86_400_000
"""A minute and a day, in milliseconds."""
UNITS_MS = {"m": MINUTE_MS, "h": 60 * MINUTE_MS, "d": DAY_MS, "w": 7 * DAY_MS}
LEAST_MS, MOST_MS = 5 * MINUTE_MS, 366 * DAY_MS
"""Shortest and longest interval of a watch."""
JITTER_SHARE, MOST_JITTER_MS = 0.1, 15 * MINUTE_MS
"""By which share of its interval a slot is moved at most, and the most in milliseconds."""
MOST_SHARE = 0.45
"""Largest jitter as a share of the interval; with half of it, a slot could come before the one that it follows."""

MAX_CRON = 200
"""Longest cron expression."""
LOOKED_AT = 50
"""How many slots of a cron line are checked when it is added."""
LOOKED_BACK_MS = (3 * UNITS_MS["h"], 3 * DAY_MS, 70 * DAY_MS, 9 * 366 * DAY_MS)
"""How far back the slot before a time is looked for; 29 February may be eight years ago."""

_OF_THE_MACHINE = frozenset({"localtime", "posixrules"})
"""Zones that are another one on each machine, while any planner may run a watch."""
_INTERVAL = re.compile(r"(\d{1,6}) ?([mhdw])", re.I)


def read_schedule(
    *, every: str = "", cron: str = "", zone: str = "", jitter: str = "", now_ms: int
) -> Schedule:
    """The schedule that a user wrote.

    Raises:
        UsageError: both or neither of `every` and `cron` were given, one is malformed or never fires, or the time
            zone is unknown.
    """
    if bool(every) == bool(cron):
        raise UsageError(
            translatable(
                "say when to look: give either an interval such as 6h, or a cron line such as 0 9 * * *"
            )
        )
    zone = _known_zone(zone or "UTC")
    jitter_ms = None if not jitter else _span(jitter, least=0)
    if every:
        every_ms = _span(every, least=LEAST_MS)
        return Schedule(every_ms=every_ms, anchor_ms=now_ms, zone=zone, jitter_ms=jitter_ms)
    schedule = Schedule(cron=" ".join(cron.split()), anchor_ms=now_ms, zone=zone, jitter_ms=jitter_ms)
    _check_cron(schedule, now_ms)
    return schedule


def next_slot(schedule: Schedule, after_ms: int) -> int | None:
    """The first slot later than this time."""
    if schedule.every_ms:
        passed = max(-1, (after_ms - schedule.anchor_ms) // schedule.every_ms)
        return schedule.anchor_ms + (passed + 1) * schedule.every_ms
    later = (slot for slot in _ticks(schedule, after_ms) if slot > after_ms)
    return next(later, None)


def previous_slot(schedule: Schedule, before_ms: int) -> int | None:
    """The last slot earlier than this time; none is earlier than the schedule itself."""
    if schedule.every_ms:
        passed = (before_ms - 1 - schedule.anchor_ms) // schedule.every_ms
        return schedule.anchor_ms + passed * schedule.every_ms if passed >= 0 else None
    # Backwards, cronsim has other times around a change of the clock by half an hour: only the way forwards counts.
    for span_ms in LOOKED_BACK_MS:
        from_ms = max(schedule.anchor_ms, before_ms - span_ms)
        ticks = _ticks(schedule, from_ms - from_ms % 1000 - 1000)
        earlier = deque(takewhile(lambda slot: slot < before_ms, ticks), maxlen=1)
        if earlier or from_ms == schedule.anchor_ms:
            return next((slot for slot in earlier if slot > schedule.anchor_ms), None)
    return None


def due_ms(schedule: Schedule, watch: str, slot_ms: int) -> int:
    """When to run a slot: its time, moved by at most the jitter; the first slot of an interval is not moved."""
    if schedule.every_ms and slot_ms == schedule.anchor_ms:
        return slot_ms
    bound = _jitter_ms(schedule, slot_ms)
    drawn = uuid5(WATCH_SPACE, f"{watch}:{slot_ms}").int % 20_001 / 10_000 - 1
    return slot_ms + int(bound * drawn)


def next_due_ms(schedule: Schedule, watch: str, after_slot_ms: int) -> int | None:
    """When to run the first slot after this one."""
    slot = next_slot(schedule, after_slot_ms)
    return None if slot is None else due_ms(schedule, watch, slot)


def newest_due(schedule: Schedule, watch: str, now_ms: int, *, after_ms: int) -> int | None:
    """The slot to run now: the newest due slot after `after_ms`, so that several missed slots run once."""
    upper = now_ms + _most_jitter_ms(schedule) + 1
    while (slot := previous_slot(schedule, upper)) is not None and slot > after_ms:
        if due_ms(schedule, watch, slot) <= now_ms:
            return slot
        upper = slot
    return None


def is_ahead(schedule: Schedule, slot_ms: int, now_ms: int) -> bool:
    """Whether a slot cannot have been due yet: it was claimed, or its schedule begins, by a clock that was ahead."""
    return slot_ms > now_ms + _most_jitter_ms(schedule)


def run_id(watch: str, slot_ms: int) -> str:
    """The id of a slot's job."""
    return short_id(f"{watch}:{slot_ms}")


def schedule_text(schedule: Schedule) -> str:
    """A schedule as text for a user: "every 6h", "0 9 * * * Europe/Berlin"."""
    if not schedule.every_ms:
        return f"{schedule.cron} {schedule.zone}"
    return f"every {span_text(schedule.every_ms)}"


def span_text(span_ms: int) -> str:
    """A span of time as a user writes it, in its largest whole unit: 6h."""
    if not span_ms:
        return "0"
    units = sorted(UNITS_MS.items(), key=lambda one: -one[1])
    return next(f"{span_ms // size}{unit}" for unit, size in units if not span_ms % size)


def _ticks(schedule: Schedule, from_ms: int) -> Iterator[int]:
    """The times of a cron line from `from_ms` on, each once; cronsim handles clock changes as Debian's cron does."""
    start = datetime.fromtimestamp(from_ms / 1000, UTC).astimezone(ZoneInfo(schedule.zone))
    return (int(tick.timestamp() * 1000) for tick in CronSim(schedule.cron, start))


def _jitter_ms(schedule: Schedule, slot_ms: int) -> float:
    before, after = previous_slot(schedule, slot_ms), next_slot(schedule, slot_ms)
    known = [slot for slot in (before, slot_ms, after) if slot is not None]
    gap = min((later - earlier for earlier, later in pairwise(known)), default=0)
    if schedule.jitter_ms is None:
        return min(MOST_JITTER_MS, JITTER_SHARE * gap)
    return min(schedule.jitter_ms, MOST_SHARE * gap)


def _most_jitter_ms(schedule: Schedule) -> int:
    return MOST_JITTER_MS if schedule.jitter_ms is None else schedule.jitter_ms


def _span(text: str, *, least: int) -> int:
    if text.strip() == "0" and not least:
        return 0
    match = _INTERVAL.fullmatch(text.strip())
    if not match:
        raise UsageError(translatable("%(text)r is not an interval; write 30m, 6h or 1d", text=text))
    span = int(match[1]) * UNITS_MS[match[2].lower()]
    if not least <= span <= MOST_MS:
        raise UsageError(translatable("the interval %(text)r is out of range; give 5m to 366d", text=text))
    return span


def _known_zone(zone: str) -> str:
    try:
        if zone in _OF_THE_MACHINE:
            raise LookupError
        ZoneInfo(zone)
    except (ValueError, OSError, LookupError):
        raise UsageError(
            translatable(
                "%(zone)r is not a time zone; write one like Europe/Berlin or America/New_York", zone=zone
            )
        ) from None
    return zone


def _check_cron(schedule: Schedule, now_ms: int) -> None:
    if len(schedule.cron) > MAX_CRON:
        raise UsageError(
            translatable(
                "--cron has more than %(most)s characters; write ranges and steps, like */15", most=MAX_CRON
            )
        )
    if len(schedule.cron.split()) != 5:
        raise UsageError(
            translatable(
                "the cron line %(line)r must have five fields (minute hour day month weekday), like '0 9 * * 1-5'",
                line=schedule.cron,
            )
        )
    try:
        slots = list(islice(_ticks(schedule, now_ms), LOOKED_AT))
    except CronSimError as error:
        raise UsageError(
            translatable(
                "the cron line %(line)r never fires or is malformed (%(why)s); example: '0 9 * * 1-5'",
                line=schedule.cron,
                why=str(error).lower(),
            )
        ) from error
    if not slots:
        raise UsageError(
            translatable("the cron line %(line)r never fires; example: '0 9 * * 1-5'", line=schedule.cron)
        )
    if any(later - earlier < LEAST_MS for earlier, later in pairwise(slots) if later > earlier):
        raise UsageError(
            translatable(
                "the cron line %(line)r fires more often than every 5 minutes; use longer intervals",
                line=schedule.cron,
            )
        )
