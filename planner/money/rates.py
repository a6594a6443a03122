"""Exchange rates, only for comparing offers: a report always shows the price in its own currency too."""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from research_crawler.core.errors import ConfigError
from research_crawler.core.models.base import Frozen

_FILE_NAME = "exchange_rates.toml"


class Rates(Frozen):
    """How much of each currency one euro buys, on a given day."""

    date: str
    source: str = ""
    approximate: bool = False
    """True if nobody vouches for the rates, as with the packaged ones; converted amounts then say so."""
    euro: dict[str, float] = Field(default_factory=dict)

    @property
    def mark(self) -> str:
        """The remark beside a converted amount: where its rate comes from."""
        if self.approximate:
            return f"converted at an approximate rate (unverified, about {self.origin})"
        return f"converted at the {self.source} rate of {self.date}".replace("  ", " ")

    @property
    def origin(self) -> str:
        """The date of the rates, and their source if one is named."""
        return f"{self.date}, {self.source}" if self.source else self.date

    def convert(self, amount: float, currency: str, to: str) -> float | None:
        """The amount in another currency; None if a rate is not known."""
        if currency == to:
            return amount
        per_euro = {"EUR": 1.0, **self.euro}
        if currency not in per_euro or to not in per_euro:
            return None
        return amount / per_euro[currency] * per_euro[to]


@cache
def packaged_rates() -> Rates:
    """The approximate rates that come with the project."""
    return _rates(tomllib.loads(files("planner.money").joinpath(_FILE_NAME).read_text("utf-8")), _FILE_NAME)


def load_rates(path: str = "") -> Rates:
    """The rates of the user's file at `path`, or the packaged ones without a path.

    Raises:
        ConfigError: the file is missing or malformed.
    """
    if not path:
        return packaged_rates()
    file = Path(path).expanduser()
    try:
        document = tomllib.loads(file.read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"RESEARCH_EXCHANGE_RATES: {file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"RESEARCH_EXCHANGE_RATES: {file} is not valid TOML: {error}") from error
    return _rates(document, str(file))


def _rates(document: dict[str, Any], where: str) -> Rates:
    if isinstance(table := document.get("euro"), dict):
        document = {**document, "euro": {str(code).upper(): rate for code, rate in table.items()}}
    try:
        rates = Rates.model_validate({**document, "date": str(document.get("date", ""))})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ConfigError(f"{where}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if not rates.date or any(rate <= 0 for rate in rates.euro.values()):
        raise ConfigError(f"{where}: the file needs a date, and rates above 0 in the table [euro]")
    return rates
