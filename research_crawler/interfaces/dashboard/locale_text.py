"""Writes times, numbers and money for people, in the language of the page. Pure."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

from babel.core import Locale
from babel.dates import format_date, format_datetime, format_timedelta
from babel.numbers import (
    format_compact_decimal,
    format_currency,
    format_decimal,
    format_percent,
    get_decimal_symbol,
)
from babel.units import format_unit
from markupsafe import Markup

CENTS = 0.005
"""Money below it is shown with four decimals: model calls cost parts of a cent."""
_UNITS_MS = (("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000))


class LocaleText:
    """How one language writes things."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._day = "d. MMM" if language == "de" else "d MMM"

    def when(self, at: int | str, *, exact: bool = False) -> Markup:
        """A time as an element that the page's script turns into the reader's zone; without it, in UTC.

        Args:
            at: milliseconds since 1970, or a time or a day in ISO form; another text is shown as it is.
            exact: never say how long ago it was.
        """
        time = _time_of(at)
        if time is None:
            return Markup("{}").format(at)
        if isinstance(at, str) and len(at) <= len("2026-01-01"):
            return Markup('<time datetime="{}">{}</time>').format(at, self.day(at))
        text = format_datetime(time, f"{self._day} y, HH:mm", tzinfo=UTC, locale=self._language)
        mark = Markup(" data-exact") if exact else ""
        machine = time.isoformat(timespec="seconds").replace("+00:00", "Z")
        return Markup('<time datetime="{}"{}>{} UTC</time>').format(machine, mark, text)

    def clock(self, at_ms: int, *, with_day: bool = False) -> str:
        """A time of day in UTC as plain text, for charts; `data-told` has the page's script put the reader's there."""
        time, form = (
            datetime.fromtimestamp(at_ms / 1000, UTC),
            f"{self._day} y, HH:mm" if with_day else "HH:mm",
        )
        return f"{format_datetime(time, form, tzinfo=UTC, locale=self._language)} UTC"

    def day(self, at: int | str) -> str:
        """The day of a time, in UTC."""
        time = _time_of(at)
        return str(at) if time is None else format_date(time.date(), f"{self._day} y", locale=self._language)

    def short_day(self, at: int | str) -> str:
        """The day of a time without its year, in UTC, for the axis of a chart."""
        time = _time_of(at)
        return str(at) if time is None else format_date(time.date(), self._day, locale=self._language)

    def number(self, value: float | int | Decimal) -> str:
        """A number: 1,200, in German 1.200."""
        return str(format_decimal(value, locale=self._language))

    def typed(self, value: object, *, cents: bool = False) -> str:
        """A value as one types it into a field of this language: a number without groups, all else as it is.

        Args:
            cents: with two decimals at least, as an amount of money has them.
        """
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            return str(value)
        whole, _, part = f"{Decimal(str(value)):f}".partition(".")
        part = part.rstrip("0").ljust(2 if cents else 0, "0")
        return f"{whole}{get_decimal_symbol(self._language)}{part}" if part else whole

    def compact(self, value: float | int) -> str:
        """A large number, short: 12K."""
        text = str(format_compact_decimal(value, locale=self._language, fraction_digits=1))
        return (
            self.number(value) if text.isdigit() else text
        )  # some languages have no short word for thousands

    def share(self, value: float) -> str:
        """A share in whole per cent."""
        return str(format_percent(value, locale=self._language))

    def money(self, value: float | str | Decimal, currency: str = "USD") -> str:
        """An amount with its currency; one of less than half a cent with four decimals."""
        try:
            amount = Decimal(str(value))
        except InvalidOperation:
            return f"{value} {currency}".strip()
        digits = "#,##0.0000" if 0 < abs(amount) < CENTS else "#,##0.00"
        if len(currency) != 3:
            return f"{format_decimal(amount, digits, locale=self._language)} {currency}".strip()
        pattern = f"{digits} ¤" if self._language == "de" else f"¤{digits}"
        return str(format_currency(amount, currency, pattern, locale=self._language, currency_digits=False))

    def language_name(self, code: str) -> str:
        """A language by its name: German, in German Deutsch."""
        return Locale(code).get_language_name(self._language) or code

    def duration(self, seconds: float) -> str:
        """A span of time in its largest unit: 3 minutes."""
        return str(format_timedelta(timedelta(seconds=round(seconds)), threshold=1.5, locale=self._language))

    def minutes(self, seconds: float) -> str:
        """A span of time that is only roughly known, in whole minutes or a larger unit; at least one minute."""
        span = timedelta(minutes=max(1, round(seconds / 60)))
        return str(format_timedelta(span, granularity="minute", threshold=1.5, locale=self._language))

    def interval(self, span_ms: int) -> str:
        """An interval in the largest unit that has it whole: 36 hours."""
        unit, size = next(one for one in _UNITS_MS if span_ms % one[1] == 0 or one[0] == "second")
        return str(format_unit(span_ms // size, f"duration-{unit}", locale=self._language))


def _time_of(at: int | str) -> datetime | None:
    try:
        if isinstance(at, int):
            return datetime.fromtimestamp(at / 1000, UTC)
        time = datetime.fromisoformat(at)
    except (ValueError, OverflowError, OSError):
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
