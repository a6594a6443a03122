"""Places the prices of a product on a line chart of SVG. Pure."""

from dataclasses import dataclass
from typing import Final

from research_crawler.interfaces.dashboard.pages import shown_time
from research_crawler.services.watch_documents import PriceSeries

WIDTH: Final = 640
HEIGHT: Final = 180
EDGE: Final = 12


@dataclass(frozen=True)
class Point:
    """A price on the chart."""

    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Chart:
    """A line, with the words of its ends."""

    points: list[Point]
    line: str
    """The line as SVG has it: a price holds until the next one was seen."""
    begins: str
    ends: str
    width: int = WIDTH
    height: int = HEIGHT


def chart_of(series: PriceSeries) -> Chart | None:
    """The chart of a product's prices: the confirmed ones, or all as long as none is; None if there is no price."""
    priced = [one for one in series.observations if one.price is not None]
    seen = [one for one in priced if one.confirmed] or priced
    if not seen:
        return None
    prices, times = [float(one.price or 0) for one in seen], [one.at_ms for one in seen]
    points = [
        Point(
            round(_placed(at_ms, min(times), max(times), WIDTH), 1),
            round(HEIGHT - _placed(price, min(prices), max(prices), HEIGHT), 1),
            f"{shown_time(at_ms)}: {price:,.2f} {series.currency}",
        )
        for at_ms, price in zip(times, prices, strict=True)
    ]
    steps = [f"M{points[0].x} {points[0].y}", *(f"H{point.x}V{point.y}" for point in points[1:])]
    return Chart(points, "".join(steps), shown_time(times[0]), shown_time(times[-1]))


def _placed(value: float, least: float, most: float, room: int) -> float:
    """Where a value stands between the edges; in the middle if all are the same."""
    share = (value - least) / (most - least) if most > least else 0.5
    return EDGE + share * (room - 2 * EDGE)
