"""What models cost, from a data file with its date and from the user's settings."""

import ipaddress
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import urlsplit

from pydantic import Field

from research_crawler.core.models.base import Frozen

_FILE: Final = "model_prices.toml"
_MILLION: Final = 1_000_000


class ModelPrice(Frozen):
    """The price of a model in US dollars for a million tokens."""

    sent: float = 0.0
    answered: float = 0.0

    def usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What a call costs."""
        return (prompt_tokens * self.sent + completion_tokens * self.answered) / _MILLION


class ModelPrices(Frozen):
    """The prices of models on a day."""

    date: str
    models: dict[str, tuple[float, float]] = Field(default_factory=dict)

    def price_of(self, model: str) -> ModelPrice | None:
        """The price of a model, or of the longest name that it begins with; None if it is not known."""
        name = model.lower().rpartition("/")[2]
        known = [
            one for one in self.models if name == one or name.startswith((f"{one}-", f"{one}:", f"{one}@"))
        ]
        found = self.models[max(known, key=len)] if known else None
        return ModelPrice(sent=found[0], answered=found[1]) if found else None


@cache
def _packaged() -> ModelPrices:
    return ModelPrices.model_validate(
        tomllib.loads(files("planner.money").joinpath(_FILE).read_text("utf-8"))
    )


def model_prices(own: Mapping[str, Sequence[float]]) -> ModelPrices:
    """The packaged prices, with the user's own before them."""
    packaged = _packaged()
    mine = {name.lower().rpartition("/")[2]: (float(pair[0]), float(pair[1])) for name, pair in own.items()}
    return ModelPrices(date=packaged.date, models=packaged.models | mine)


def is_free(endpoint: str) -> bool:
    """Whether an endpoint runs on this machine or in its network, where nobody sends a bill."""
    host = urlsplit(endpoint).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local"))
