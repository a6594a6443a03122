"""What models cost, from a data file with its date and from the user's settings."""

import ipaddress
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import urlsplit

from pydantic import Field

from research_crawler.core.models.base import Frozen

_FILE: Final = "model_prices.toml"
_MILLION: Final = 1_000_000
"""Prices of models are told for so many tokens."""
_VERSION: Final = re.compile(r"[:@]|-(?:\d|latest|preview)")
"""What follows the name of a model in that of a version: a date or number, or which host or plan serves it."""


Prices = tuple[float, float] | tuple[float, float, float]
"""What is sent, what is answered, and what is sent again and was cached, where that has a price of its own."""


class ModelPrice(Frozen):
    """The price of a model in US dollars for a million tokens."""

    sent: float = 0.0
    answered: float = 0.0
    cached: float | None = None
    """For what is sent again and was read before; None: as much as for the rest."""

    def usd(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """What a call costs; `cached_tokens` are some of the prompt's."""
        less = 0.0 if self.cached is None else cached_tokens * (self.sent - self.cached)
        return (prompt_tokens * self.sent - less + completion_tokens * self.answered) / _MILLION


class ModelPrices(Frozen):
    """The prices of models on a day."""

    date: str
    models: dict[str, Prices] = Field(default_factory=dict)

    def price_of(self, model: str) -> ModelPrice | None:
        """The price of a model, or of the longest name of which it is a version; None if it is not known.

        A further word makes another model: `o3-pro` costs ten times what `o3` does, and a ceiling of money must not
        count it as that.
        """
        name = model.lower().rpartition("/")[2]
        known = [
            one
            for one in self.models
            if name.startswith(one) and (name == one or _VERSION.match(name, len(one)))
        ]
        found = self.models[max(known, key=len)] if known else None
        if not found:
            return None
        return ModelPrice(sent=found[0], answered=found[1], cached=found[2] if len(found) > 2 else None)


@cache
def _packaged() -> ModelPrices:
    return ModelPrices.model_validate(
        tomllib.loads(files("planner.money").joinpath(_FILE).read_text("utf-8"))
    )


def model_prices(own: Mapping[str, Prices]) -> ModelPrices:
    """The packaged prices, with the user's own before them."""
    packaged = _packaged()
    mine = {name.lower().rpartition("/")[2]: price for name, price in own.items()}
    return ModelPrices(date=packaged.date, models=packaged.models | mine)


def is_free(endpoint: str) -> bool:
    """Whether an endpoint runs on this machine or in its network, where nobody sends a bill."""
    host = urlsplit(endpoint).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local"))
