"""What phase 2 knows of the world of shops: the catalogue of vendors, and rates of exchange."""

from dataclasses import dataclass, field

from planner.money.rates import Rates, packaged_rates
from research_crawler.core.vendors import Catalogue


@dataclass(frozen=True)
class Market:
    """Read once from the settings, for all jobs."""

    catalogue: Catalogue = field(default_factory=Catalogue)
    rates: Rates = field(default_factory=packaged_rates)
