"""The vendors and exchange rates that phase 2 works with."""

from dataclasses import dataclass, field

from planner.money.rates import Rates, packaged_rates
from research_crawler.core.vendors import Catalogue


@dataclass(frozen=True)
class Market:
    """The catalogue of vendors and the exchange rates; read once from the settings, for all jobs."""

    catalogue: Catalogue = field(default_factory=Catalogue)
    rates: Rates = field(default_factory=packaged_rates)
