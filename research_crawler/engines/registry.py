"""Which providers exist, which of them a configuration switches on, and what each may cost."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import SecretStr

from research_crawler.core.config import Config, environment_names
from research_crawler.core.crawl_ports import HealthBook
from research_crawler.core.errors import ConfigError
from research_crawler.core.models.health import Health
from research_crawler.engines.asking import Account
from research_crawler.engines.base import Provider
from research_crawler.engines.bing import Bing
from research_crawler.engines.brave import Brave
from research_crawler.engines.browser_typed import BrowserTyped
from research_crawler.engines.duckduckgo import DuckDuckGo
from research_crawler.engines.google import Google
from research_crawler.engines.health import (
    LEAST_SAMPLES,
    Allowance,
    calendar,
    patience_ms,
    resting,
    state_of,
    used_up,
)
from research_crawler.engines.searxng import SearXNG
from research_crawler.engines.tavily import Tavily
from research_crawler.engines.wikipedia import Wikipedia


@dataclass(frozen=True)
class Entry:
    """One provider: how it is made and what it needs."""

    make: Callable[[Config], Provider | None]
    """Answers None where a needed setting is missing."""
    needs: tuple[str, ...] = ()
    """Settings without which it is off."""
    settings: tuple[str, ...] = ()
    """Settings that make it another service, beside those it needs."""
    default: bool = True
    """On without being named, once it has what it needs."""
    note: str = ""


ENTRIES: dict[str, Entry] = {
    SearXNG.name: Entry(SearXNG.from_config, needs=("searxng_url",)),
    DuckDuckGo.name: Entry(DuckDuckGo.from_config, settings=("duckduckgo_base_url",)),
    Wikipedia.name: Entry(Wikipedia.from_config, settings=("wikipedia_base_url",)),
    Brave.name: Entry(Brave.from_config, needs=("brave_api_key",), settings=("brave_base_url",)),
    Tavily.name: Entry(Tavily.from_config, needs=("tavily_api_key",), settings=("tavily_base_url",)),
    Google.name: Entry(
        Google.from_config,
        needs=("google_api_key", "google_cse_id"),
        settings=("google_cse_base_url",),
        default=False,
        note="closed to new customers, ends on 1 January 2027",
    ),
    Bing.name: Entry(
        Bing.from_config,
        needs=("bing_api_key",),
        settings=("bing_base_url",),
        default=False,
        note="Microsoft ended its own on 11 August 2025; set BING_BASE_URL to a service of its form",
    ),
    BrowserTyped.name: Entry(
        BrowserTyped.from_config,
        settings=("typed_engine_url",),
        default=False,
        note="types into a search engine's page, only where its robots.txt allows the results page",
    ),
}
"""Name → provider, in the default order: an instance of one's own, what needs no key, what costs money."""


_BY_NAME = ("provider_prices_usd", "provider_daily_calls", "provider_monthly_calls")
"""Settings whose keys are providers: a ceiling of one that does not exist would hold nobody."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How one provider stands, for `research doctor`."""

    name: str
    on: bool
    missing: tuple[str, ...] = ()
    """Environment names that would switch it on."""
    by_name_only: bool = False
    """It has what it needs, but is asked only when RESEARCH_PROVIDERS names it."""
    state: str = "closed"
    """Of its circuit: closed, open, half_open."""
    why: str = ""
    """Why it is not asked now."""
    usd_per_call: float = 0.0
    calls_today: int = 0
    calls_this_month: int = 0
    per_day: int = 0
    """The operator's ceiling; 0: none."""
    per_month: int = 0
    answers_ms: int = 0
    """How long its last answers took, 19 of 20; 0: not known yet."""
    usd_this_month: float = 0.0
    note: str = ""

    @property
    def line(self) -> str:
        """All of it in one line."""
        if self.missing:
            said = [f"off: set {', '.join(self.missing)}"]
        elif not self.on:
            said = [f"off: name it in RESEARCH_PROVIDERS ({self.name})"]
        else:
            said = [self.why or "on"]
            said += _used(self.calls_today, self.per_day, "calls today")
            said += _used(self.calls_this_month, self.per_month, "this month")
            said += [f"answers within {self.answers_ms / 1000:.1f} s"] if self.answers_ms else []
            said += [f"{self.usd_this_month:.2f} USD this month"] if self.usd_this_month else []
            said += [f"{self.usd_per_call:g} USD a call"] if self.usd_per_call else []
        return "; ".join([*said, *([self.note] if self.note else [])])


def _used(calls: int, ceiling: int, when: str) -> list[str]:
    if ceiling:
        return [f"{calls} of {ceiling} {when}"]
    return [f"{calls} {when}"] if calls else []


def providers_from(config: Config) -> list[Provider]:
    """The providers that are on, in the order of RESEARCH_PROVIDERS.

    Without RESEARCH_PROVIDERS all that can run are on, but for those whose service has ended or is ending and
    the one that types in a browser: SearXNG first where SEARXNG_URL is set, then DuckDuckGo and Wikipedia, then
    Brave and Tavily where their keys are. An instance of one's own is so preferred, and a search still has
    results while it is down; who wants nothing but the instance asked says `RESEARCH_PROVIDERS=searxng`.

    Raises:
        ConfigError: RESEARCH_PROVIDERS has a name that is not known.
    """
    made = (ENTRIES[name].make(config) for name in _names(config))
    return [provider for provider in made if provider is not None]


def switched_off(config: Config) -> list[tuple[str, str]]:
    """Providers that are named but lack something: (name, the settings that would switch it on)."""
    named = _names(config) if config.providers else [name for name, one in ENTRIES.items() if one.default]
    return [(name, ", ".join(missing)) for name in named if (missing := missing_settings(name, config))]


def missing_settings(name: str, config: Config) -> tuple[str, ...]:
    """Environment names of what a provider needs and does not have."""
    return tuple(environment_names(need)[0] for need in ENTRIES[name].needs if not _given(config, need))


def account_of(name: str, config: Config) -> Account:
    """Where a provider's health is kept, and what its calls may cost.

    A corrected key or address is another account: what failed before says nothing of it.
    """
    entry = ENTRIES[name]
    service = "\n".join((name, *(_given(config, one) for one in (*entry.needs, *entry.settings))))
    provider = entry.make(config)
    listed = provider.usd_per_call if provider else 0.0
    return Account(
        f"{name}:{hashlib.sha256(service.encode()).hexdigest()[:8]}",
        Allowance(
            usd_per_call=config.provider_prices_usd.get(name, listed),
            per_day=config.provider_daily_calls.get(name, 0),
            per_month=config.provider_monthly_calls.get(name, 0),
        ),
    )


def accounts_of(config: Config, names: Sequence[str]) -> dict[str, Account]:
    """Accounts of several providers, by name."""
    return {name: account_of(name, config) for name in names}


async def provider_standings(config: Config, book: HealthBook) -> list[Standing]:
    """All known providers: on or off, what is missing, how they are doing (`research doctor`)."""
    healths = await book.read([account_of(name, config).name for name in ENTRIES])
    now_ms = await book.now_ms()
    on = {provider.name for provider in providers_from(config)}
    return [
        _standing(name, config, health, now_ms, on=name in on)
        for name, health in zip(ENTRIES, healths, strict=True)
    ]


def _standing(name: str, config: Config, health: Health, now_ms: int, *, on: bool) -> Standing:
    allowance, missing = account_of(name, config).allowance, missing_settings(name, config)
    day, month = calendar(now_ms)
    return Standing(
        name=name,
        on=on,
        missing=missing,
        by_name_only=not on and not missing,
        state=state_of(health, now_ms),
        why=used_up(health, allowance, now_ms) or resting(health, now_ms),
        usd_per_call=allowance.usd_per_call,
        calls_today=health.day_calls if health.day == day else 0,
        calls_this_month=health.month_calls if health.month == month else 0,
        per_day=allowance.per_day,
        per_month=allowance.per_month,
        answers_ms=patience_ms(health) if len(health.latencies_ms) >= LEAST_SAMPLES else 0,
        usd_this_month=health.month_usd if health.month == month else 0.0,
        note=ENTRIES[name].note,
    )


def _given(config: Config, setting: str) -> str:
    value = getattr(config, setting)
    return (value.get_secret_value() if isinstance(value, SecretStr) else str(value)).strip()


def _names(config: Config) -> list[str]:
    default = [name for name, entry in ENTRIES.items() if entry.default]
    names = [name.lower() for name in config.providers] or default
    for setting, given in (("providers", names), *((one, getattr(config, one)) for one in _BY_NAME)):
        unknown = next((name for name in given if name not in ENTRIES), None)
        if unknown is not None:
            raise ConfigError(
                f"{environment_names(setting)[0]}: there is no provider {unknown!r}; known: {', '.join(ENTRIES)}"
            )
    return list(dict.fromkeys(names))
