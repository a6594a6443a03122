"""Show observations to people and programs: as series, a text chart, CSV and JSON lines. Pure."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from itertools import groupby

from research_crawler.core.models.offers.products import Condition
from research_crawler.core.models.watches.watch import Observation
from research_crawler.text.writing.spreadsheet_cells import guarded_cell

_COLUMNS = ("at", "watch", "run", "product", "vendor", "name", "variant", "condition", "state", "price", "currency",
           "availability", "confirmed", "look", "url", "page_sha", "id", "reason")  # fmt: skip
LINE_ENDS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}
"""Characters that end a line for some programs, though not in JSON."""
TICKS, GAP = "▁▂▃▄▅▆▇█", "·"


@dataclass(frozen=True)
class Series:
    """The observations of one product in one currency, in the order of time."""

    product: str
    name: str
    vendor: str
    currency: str
    observations: Sequence[Observation]

    @property
    def prices(self) -> list[Decimal]:
        """The confirmed prices; all prices as long as none is confirmed."""
        return [
            price for observation in self.observations if (price := self.price_of(observation)) is not None
        ]

    def price_of(self, observation: Observation) -> Decimal | None:
        """The price that an observation adds to the history, or None."""
        return observation.price if observation.confirmed or not self._is_confirmed else None

    @property
    def _is_confirmed(self) -> bool:
        return any(
            observation.confirmed and observation.price is not None for observation in self.observations
        )

    @property
    def condition(self) -> Condition:
        """The condition that its observations name; another one would be another product."""
        named = (seen.condition for seen in reversed(self.observations) if seen.condition != "unknown")
        return next(named, "unknown")

    @property
    def last(self) -> Observation:
        """The newest observation."""
        return self.observations[-1]


def series_of(observations: Iterable[Observation]) -> list[Series]:
    """The observations as one series per product and currency.

    A product's states without a price are in each of its series. A page without any product has a series of its own.
    """
    ordered = sorted(
        observations,
        key=lambda observation: (
            observation.product or observation.url,
            observation.at_ms,
            observation.fetch_attempt,
        ),
    )
    found: list[Series] = []
    for product, group in groupby(ordered, key=lambda observation: observation.product or observation.url):
        seen = list(group)
        currencies = sorted({observation.currency for observation in seen if observation.price is not None})
        for currency in currencies or [""]:
            part = [
                observation
                for observation in seen
                if observation.price is None or observation.currency == currency
            ]
            names = [observation.name for observation in part if observation.name]
            found.append(
                Series(product, names[-1] if names else part[-1].url, part[-1].vendor, currency, part)
            )
    return sorted(found, key=lambda series: (series.vendor, series.name, series.currency))


def chart(series: Series, *, width: int = 60) -> str:
    """Prices over time as one line: a character per time span of equal length shows its last price, "·" means none."""
    if not series.prices:
        return GAP * min(width, len(series.observations))
    begin, end = series.observations[0].at_ms, series.observations[-1].at_ms
    columns = max(1, min(width, len(series.observations)))
    cells: list[Decimal | None] = [None] * columns
    for observation in series.observations:
        index = min(columns - 1, (observation.at_ms - begin) * columns // max(1, end - begin + 1))
        price = series.price_of(observation)
        cells[index] = price if price is not None else cells[index]
    low, high = min(series.prices), max(series.prices)
    return "".join(GAP if price is None else _tick(price, low, high) for price in cells)


def as_csv(observations: Iterable[Observation]) -> str:
    """CSV (RFC 4180) with a header. Text from pages cannot become a formula in a spreadsheet."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for observation in observations:
        writer.writerow([guarded_cell(value) for value in _values(observation)])
    return out.getvalue()


def as_jsonl(observations: Iterable[Observation]) -> str:
    """One JSON object per line, with the columns of the CSV; prices are strings, so that they stay exact."""
    lines = [dict(zip(_COLUMNS, _typed(observation), strict=True)) for observation in observations]
    return "".join(json.dumps(line, ensure_ascii=False).translate(LINE_ENDS) + "\n" for line in lines)


def iso(at_ms: int) -> str:
    """A time as ISO text in UTC, with milliseconds, so that two fetches of one run differ."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")


def _tick(price: Decimal, low: Decimal, high: Decimal) -> str:
    return TICKS[0] if high == low else TICKS[int((price - low) / (high - low) * (len(TICKS) - 1))]


def _typed(observation: Observation) -> list[str | bool | int | None]:
    fields = observation.model_dump() | {"at": iso(observation.at_ms)}
    fields["price"] = None if observation.price is None else f"{observation.price:f}"
    return [fields[name] for name in _COLUMNS]


def _values(observation: Observation) -> list[str]:
    return [_plain(value) for value in _typed(observation)]


def _plain(value: str | bool | int | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
