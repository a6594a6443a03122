"""Places the prices of a product on a line chart of SVG, with its axes and what happened. Pure."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from math import ceil, floor, log10
from typing import Final, Literal

from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.watches.watch import Observation
from research_crawler.services.watch_documents import PriceSeries

WIDTH: Final = 720
"""Width of a chart in the units of its drawing."""
HEIGHT: Final = 260
"""Height of a chart."""
LEFT, RIGHT, TOP, BOTTOM = 84, 16, 16, 34
"""Room for the axes around the line."""
NARROW_WIDTH: Final = 340
"""Width of a chart for phones."""
NARROW_LEFT: Final = 72
"""Of the chart that phones show, where a wide one would have letters too small to read."""
DAY_LINE: Final = 18
"""Room below a narrow chart for the day, where the times of day leave none beside them."""
MOST_STOPS: Final = 40
"""Points that the keyboard stops at; of more, only those where the price changes, and then the newest."""
NARROW_STOPS: Final = 10
"""On a phone: a finger needs 24 pixels for each."""
SPARK_WIDTH, SPARK_HEIGHT = 160, 36
"""Width and height of the small chart of a card."""
PRICE_TICKS, DAY_TICKS, NARROW_DAY_TICKS = 4, 4, 2
"""Marks of the axis of prices, of days, and of days on phones."""
FEW_BARS: Final = 4
"""A chart of at most so many days is drawn as narrow as on phones."""
TOLD_BARS: Final = 7
"""So many bars have room for their values above them."""
DAY_LABELS, NARROW_DAY_LABELS = 8, 4
"""Days that the axis of a chart of bars names."""
LABEL_ROOM: Final = 26
"""Half the width of a day's name."""
CENT: Final = 0.01
"""Lines of an axis of prices that are nearer to each other would have the same words."""
BAR_TONES: Final = 4
"""Tones that parts of a bar can have and still be told from each other."""
_DAY_MS: Final = 86_400_000
"""A day, in milliseconds."""

MarkKind = Literal["out_of_stock", "doubtful", "alert", "edit"]


@dataclass(frozen=True)
class Point:
    """A price on the chart."""

    x: float
    y: float
    at_ms: int
    price: Decimal
    confirmed: bool
    stops: bool
    """Whether the keyboard stops at it."""


@dataclass(frozen=True)
class ChartMark:
    """Something that happened beside the price."""

    x: float
    at_ms: int
    kind: MarkKind


@dataclass(frozen=True)
class Tick:
    """A line of an axis, with its value."""

    at: float
    value: float


@dataclass(frozen=True)
class Chart:
    """A line with its axes, in the units of the drawing."""

    points: list[Point]
    line: str
    """The line as SVG has it: a price holds until the next one was seen."""
    events: list[ChartMark]
    prices: list[Tick]
    days: list[Tick]
    """Times in ms."""
    is_one_day: bool = False
    """All is of one day, so that the axis has times of day."""
    limit: Decimal | None = None
    """The price below which the watch tells now, where `limit_line` ends; None: it has none in this currency."""
    limit_line: str = ""
    """The same over time, as SVG has it: a limit that was changed makes a step."""
    is_narrow: bool = False
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    floor: int = HEIGHT - BOTTOM


@dataclass(frozen=True)
class _Scale:
    """Places values between two ends."""

    least: float
    most: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        if self.most <= self.least:
            return round((self.begin + self.end) / 2, 1)
        share = (value - self.least) / (self.most - self.least)
        return round(self.begin + share * (self.end - self.begin), 1)


def chart_of(
    series: PriceSeries,
    alerted_ms: Collection[int] = (),
    *,
    edited_ms: Collection[int] = (),
    limits: Sequence[tuple[int, Decimal | None]] = (),
    is_narrow: bool = False,
) -> Chart | None:
    """The chart of a product's prices: the confirmed ones, or all as long as none is; None if there is no price.

    Args:
        series: the prices of one product in one currency.
        alerted_ms: when changes of this product were alerted.
        edited_ms: when a person has changed the watch.
        limits: the prices below which the watch tells, in the currency of the series, each with the time from which
            it holds, the oldest first; the last one holds now.
        is_narrow: for the width of a phone.
    """
    width, left, ticks = (
        (NARROW_WIDTH, NARROW_LEFT, NARROW_DAY_TICKS) if is_narrow else (WIDTH, LEFT, DAY_TICKS)
    )
    seen = _shown(series.observations)
    if not seen:
        return None
    prices = [float(one.price or 0) for one in seen]
    first_ms = min(one.at_ms for one in series.observations)
    edited_ms = [at_ms for at_ms in edited_ms if at_ms >= first_ms]
    times = [*(one.at_ms for one in series.observations), *edited_ms]
    held = [one for n, one in enumerate(limits) if n + 1 == len(limits) or limits[n + 1][0] > min(times)]
    marked = [*prices, *(float(limit) for _, limit in held if limit is not None)]
    values = _nice_ticks(min(marked), max(marked), least_step=CENT)
    across = _Scale(min(times), max(times), left, width - RIGHT)
    up = _Scale(min([*values, *prices]), max([*values, *prices]), HEIGHT - BOTTOM, TOP)
    points = _points(seen, across, up, NARROW_STOPS if is_narrow else MOST_STOPS)
    steps = [f"M{points[0].x} {points[0].y}", *(f"H{point.x}V{point.y}" for point in points[1:])]
    return Chart(
        points=points,
        line="".join(steps),
        events=_events(series.observations, {"alert": alerted_ms, "edit": edited_ms}, across),
        prices=[Tick(up(value), value) for value in values],
        days=[Tick(across(day), day) for day in _days_between(min(times), max(times), ticks)],
        is_one_day=_is_one_day(min(times), max(times)),
        limit=held[-1][1] if held else None,
        limit_line=_limit_line(held, across, up),
        is_narrow=is_narrow,
        width=width,
        height=HEIGHT + DAY_LINE if is_narrow else HEIGHT,
        left=left,
        right=width - RIGHT,
    )


def _limit_line(limits: Sequence[tuple[int, Decimal | None]], across: _Scale, up: _Scale) -> str:
    ends = [*(max(across.begin, across(at_ms)) for at_ms, _ in limits[1:]), across.end]
    begins = [across.begin, *ends]
    return "".join(
        f"M{begin} {up(float(limit))}H{end}"
        for (_, limit), begin, end in zip(limits, begins, ends, strict=False)
        if limit is not None
    )


def _days_between(first_ms: int, last_ms: int, ticks: int) -> list[float]:
    """Times evenly apart, each on a day of its own; of a single day each at a minute of its own."""
    evenly = [first_ms + (last_ms - first_ms) * n / (ticks - 1) for n in range(ticks)]
    if _is_one_day(first_ms, last_ms):
        return list({int(at_ms // 60_000): at_ms for at_ms in reversed(evenly)}.values())[::-1]
    return list({int(at_ms // _DAY_MS): at_ms for at_ms in reversed(evenly)}.values())[::-1]


def _is_one_day(first_ms: int, last_ms: int) -> bool:
    return first_ms // _DAY_MS == last_ms // _DAY_MS


@dataclass(frozen=True)
class Sparkline:
    """A small line without axes, beside the last price."""

    line: str
    last_y: float
    width: int = SPARK_WIDTH
    height: int = SPARK_HEIGHT
    prices: list[float] = field(default_factory=list)


def sparkline_of(series: PriceSeries) -> Sparkline | None:
    """The prices of a product as a small line; None if there are not two."""
    seen = _shown(series.observations)
    if len(seen) < 2:
        return None
    prices = [float(one.price or 0) for one in seen]
    across = _Scale(seen[0].at_ms, seen[-1].at_ms, 3, SPARK_WIDTH - 6)
    up = _Scale(min(prices), max(prices), SPARK_HEIGHT - 4, 4)
    steps = [
        f"{'M' if n == 0 else 'L'}{across(one.at_ms)} {up(price)}"
        for n, (one, price) in enumerate(zip(seen, prices, strict=True))
    ]
    return Sparkline("".join(steps), up(prices[-1]), prices=prices)


def change_of(series: PriceSeries) -> float | None:
    """By which share the last price differs from the one before it that differs; None if there is none."""
    prices = [float(one.price or 0) for one in _shown(series.observations)]
    before = next((price for price in reversed(prices) if price != prices[-1]), None)
    return (prices[-1] - before) / before if before else None


def _shown(observations: Sequence[Observation]) -> list[Observation]:
    priced = [one for one in observations if one.price is not None]
    return [one for one in priced if one.confirmed] or priced


def _points(
    seen: Sequence[Observation], across: Callable[[float], float], up: Callable[[float], float], most: int
) -> list[Point]:
    changes = [n == 0 or one.price != seen[n - 1].price for n, one in enumerate(seen)]
    wanted = [n for n, is_change in enumerate(changes) if is_change or len(seen) <= most]
    stops = set(wanted[-most:])
    return [
        Point(
            x=across(observation.at_ms),
            y=up(float(observation.price or 0)),
            at_ms=observation.at_ms,
            price=observation.price or Decimal(0),
            confirmed=observation.confirmed,
            stops=n in stops,
        )
        for n, observation in enumerate(seen)
    ]


def _events(
    observations: Sequence[Observation],
    told_ms: Mapping[MarkKind, Collection[int]],
    across: Callable[[float], float],
) -> list[ChartMark]:
    found, before = list[ChartMark](), ""
    is_confirmed = any(one.confirmed for one in observations)
    for observation, later in zip(observations, [*observations[1:], None], strict=True):
        kind = _kind_of(observation, later if is_confirmed else observation)
        if kind and kind != before:
            found.append(ChartMark(across(observation.at_ms), observation.at_ms, kind))
        before = kind
    first = observations[0].at_ms
    for mark, times in told_ms.items():
        found += [ChartMark(across(at_ms), at_ms, mark) for at_ms in times if at_ms >= first]
    return sorted(found, key=lambda event: event.at_ms)


def _kind_of(observation: Observation, later: Observation | None) -> Literal["", "out_of_stock", "doubtful"]:
    """What a reading marks. A price that the next reading does not repeat is doubtful: no line goes through it."""
    is_repeated = later is not None and later.price == observation.price
    if observation.price is not None and not observation.confirmed and not is_repeated:
        return "doubtful"
    if observation.reason.kind in (Reason.CONTRADICTION, Reason.OTHER_CURRENCY):
        return "doubtful"
    return "out_of_stock" if observation.state == "out_of_stock" else ""


def _nice_ticks(least: float, most: float, *, least_step: float = 0.0) -> list[float]:
    """Round values from below the least to above the most: 1, 2 or 5 times a power of ten apart."""
    span = (most - least) or abs(most) / 5 or 1.0
    rough = span / PRICE_TICKS
    power = 10 ** floor(log10(rough))
    step = max(least_step, next(power * size for size in (1, 2, 5, 10) if power * size >= rough))
    is_flat = most <= least
    begin = floor((least - span / 2 if is_flat else least) / step)
    ticks = [begin * step]
    while ticks[-1] < (most + span / 2 if is_flat else most):
        ticks.append((begin + len(ticks)) * step)
    return [round(tick, 6) for tick in ticks]


@dataclass(frozen=True)
class BarPart:
    """A part of a bar, with what it stands for."""

    y: float
    height: float
    name: str
    value: float
    tone: int
    """Which of the chart's names it has, from 0."""


@dataclass(frozen=True)
class Bar:
    """A bar of a chart, with its parts from below."""

    x: float
    width: float
    day: str
    parts: list[BarPart]
    is_named: bool = True
    """Whether its day stands below it."""

    @property
    def middle(self) -> float:
        """Where its words stand."""
        return round(self.x + self.width / 2, 1)

    @property
    def top(self) -> float | None:
        """Where it ends; None: it has no parts."""
        return self.parts[-1].y if self.parts else None

    @property
    def value(self) -> float:
        """What all its parts stand for."""
        return sum(part.value for part in self.parts)


@dataclass(frozen=True)
class Bars:
    """Bars from left to right, with the lines of the axis."""

    bars: list[Bar]
    values: list[Tick]
    names: list[str]
    """What the parts stand for, in the order of their tones."""
    is_few: bool
    """So few bars that every page shows them as narrow as a phone."""
    are_told: bool
    """Whether each bar has its value above it."""
    is_narrow: bool = False
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    floor: int = HEIGHT - BOTTOM


def bars_of(days: Sequence[tuple[str, Mapping[str, float]]], *, is_narrow: bool = False) -> Bars | None:
    """A bar for each day, also those between, with its parts by name, oldest first; None if all are zero.

    The names with the most have tones of their own; the others share the last tone.
    """
    days = list(_without_gaps(days))
    most = max((sum(parts.values()) for _, parts in days), default=0.0)
    if not most:
        return None
    sums = Counter[str]()
    for _, parts in days:
        sums.update({name: value for name, value in parts.items() if value})
    names = [name for name, _ in sums.most_common()]
    values = _nice_ticks(0.0, most)
    up = _Scale(0.0, values[-1], HEIGHT - BOTTOM, TOP)
    is_few = len(days) <= FEW_BARS
    width = NARROW_WIDTH if is_few or is_narrow else WIDTH
    left = NARROW_LEFT if is_narrow else LEFT
    room = (width - left - RIGHT) / len(days)
    apart = ceil(len(days) / (NARROW_DAY_LABELS if is_narrow else DAY_LABELS))
    bars = [
        Bar(
            round(left + room * n + room * 0.15, 1),
            round(min(room * 0.7, 60), 1),
            day,
            list(_parts(parts, names, up)),
            is_named=(len(days) - 1 - n) % apart == 0,
        )
        for n, (day, parts) in enumerate(days)
    ]
    ticks = [Tick(up(value), value) for value in values]
    are_told = len(days) <= (FEW_BARS if is_narrow else TOLD_BARS)
    return Bars(
        bars, ticks, names, is_few, are_told, is_narrow=is_narrow, width=width, left=left, right=width - RIGHT
    )


def _without_gaps(
    days: Sequence[tuple[str, Mapping[str, float]]],
) -> Iterator[tuple[str, Mapping[str, float]]]:
    """The days, oldest first, with those between them on which nothing was."""
    before: date | None = None
    for day, parts in days:
        at = date.fromisoformat(day)
        while before and before + timedelta(days=1) < at:
            before += timedelta(days=1)
            yield before.isoformat(), {}
        yield day, parts
        before = at


def _parts(parts: Mapping[str, float], names: Sequence[str], up: _Scale) -> Iterator[BarPart]:
    below = 0.0
    for place, name in enumerate(names):
        if value := parts.get(name, 0.0):
            floor_y, top_y = up(below), up(below + value)
            yield BarPart(top_y, round(floor_y - top_y, 1), name, value, min(place, BAR_TONES - 1))
            below += value
