"""Lists the providers, switches them on by configuration, and knows what each may cost."""

import functools
import hashlib
import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from research_crawler.core.config import Config, environment_names
from research_crawler.core.errors import ConfigError
from research_crawler.core.extension_points import ExtensionPoint, extensions
from research_crawler.core.models.messages.health import Health
from research_crawler.core.models.messages.searches import Pace
from research_crawler.core.ports.crawler import HealthBook
from research_crawler.engines import providers
from research_crawler.engines.health_rules import (
    LEAST_SAMPLES,
    Allowance,
    State,
    calendar,
    circuit_state,
    patience_ms,
    resting,
    used_up,
)
from research_crawler.engines.provider import Declaration, Provider
from research_crawler.engines.provider_calls import Account


def declarations() -> Mapping[str, Declaration[Any]]:
    """Provider name → its declaration: this package's in the default order, then those of installed ones.

    Raises:
        ConfigError: a package declares something else than a provider, or a name that there is already.
    """
    own = {declaration.name: declaration for declaration in _own()}
    installed = extensions(ExtensionPoint.PROVIDERS, Declaration).values()
    if taken := [declaration.name for declaration in installed if declaration.name in own]:
        raise ConfigError(f"{ExtensionPoint.PROVIDERS}: there is a provider {taken[0]!r} already")
    return own | {declaration.name: declaration for declaration in installed}


@functools.cache
def _own() -> tuple[Declaration[Any], ...]:
    """What the files in `providers` declare, in the default order. Raises TypeError for a file that declares nothing.

    The folder is read, not the entry points of this package: those are known only once it is installed again.
    """
    declared = []
    for module in pkgutil.iter_modules(providers.__path__, f"{providers.__name__}."):
        declaration = getattr(importlib.import_module(module.name), "PROVIDER", None)
        if not isinstance(declaration, Declaration):
            raise TypeError(f"PROVIDER of {module.name} is not a Declaration")
        declared.append(declaration)
    return tuple(sorted(declared, key=default_place))


def default_place(declaration: Declaration[Any]) -> tuple[bool, bool, bool, bool, float, str]:
    """Where a provider of this package stands in the default order, by what it declares.

    First the operator's own SearXNG, which costs nothing and needs its address; then those that need nothing, an
    encyclopedia behind those that search the whole web; then paid ones, the cheaper first; last those that are used
    only when named.
    """
    provider = declaration.provider
    return (
        not declaration.default,
        bool(provider.usd_per_call),
        not declaration.settings.needed(),
        not provider.general,
        provider.usd_per_call,
        provider.name,
    )


@dataclass(frozen=True, kw_only=True)
class ProviderStatus:
    """The state of one provider, for `research doctor`."""

    name: str
    on: bool
    missing: tuple[str, ...] = ()
    """Environment names that would switch it on."""
    state: State = "closed"
    """State of its circuit."""
    why: str = ""
    """Why it is not asked now; "" if it may be asked."""
    usd_per_call: float = 0.0
    calls_today: int = 0
    calls_this_month: int = 0
    per_day: int = 0
    """The operator's ceiling; 0: none."""
    per_month: int = 0
    answers_ms: int = 0
    """95th percentile of its last answer times; 0: not known yet."""
    usd_this_month: float = 0.0
    note: str = ""

    @property
    def line(self) -> str:
        """A summary in one line."""
        if self.missing:
            parts = [f"off: set {', '.join(self.missing)}"]
        elif not self.on:
            parts = [f"off: name it in RESEARCH_PROVIDERS ({self.name})"]
        else:
            parts = [self.why or "on"]
            parts += _usage(self.calls_today, self.per_day, "calls today")
            parts += _usage(self.calls_this_month, self.per_month, "this month")
            parts += [f"answers within {self.answers_ms / 1000:.1f} s"] if self.answers_ms else []
            parts += [f"{self.usd_this_month:.2f} USD this month"] if self.usd_this_month else []
            parts += [f"{self.usd_per_call:g} USD a call"] if self.usd_per_call else []
        return "; ".join([*parts, *([self.note] if self.note else [])])


def _usage(calls: int, ceiling: int, when: str) -> list[str]:
    if ceiling:
        return [f"{calls} of {ceiling} {when}"]
    return [f"{calls} {when}"] if calls else []


def providers_from(config: Config) -> list[Provider]:
    """The providers that are on, in the order of RESEARCH_PROVIDERS.

    Without RESEARCH_PROVIDERS, these are on: SearXNG if SEARXNG_URL is set, DuckDuckGo, Wikipedia, and paid ones
    whose keys are set. Providers whose service has ended or is ending, and the one that types in a browser, are on
    only when named. So a SearXNG instance comes first, and a search still has results
    while it is down. To ask only the instance, set `RESEARCH_PROVIDERS=searxng`.

    Raises:
        ConfigError: RESEARCH_PROVIDERS has an unknown name.
    """
    made = (declarations()[name].provider_from(config) for name in _names(config))
    return [provider for provider in made if provider is not None]


def switched_off(config: Config) -> list[tuple[str, str]]:
    """Providers that are named but lack a setting: (name, the settings that would switch it on)."""
    named = _names(config) if config.providers else _default_names()
    return [(name, ", ".join(missing)) for name in named if (missing := missing_settings(name, config))]


def missing_settings(name: str, config: Config) -> tuple[str, ...]:
    """Environment names of the required settings that a provider lacks."""
    return declarations()[name].missing_from(config)


def account_of(name: str, config: Config) -> Account:
    """The name under which a provider's health is stored, with its ceilings and price.

    A changed key or address makes a new account, so that earlier failures do not count against it.
    """
    declaration = declarations()[name]
    service = "\n".join((name, *config.settings_of(declaration.settings).texts().values()))
    return Account(
        f"{name}:{hashlib.sha256(service.encode()).hexdigest()[:8]}",
        Allowance(
            usd_per_call=config.provider_prices_usd.get(name, declaration.provider.usd_per_call),
            per_day=config.provider_daily_calls.get(name, 0),
            per_month=config.provider_monthly_calls.get(name, 0),
        ),
    )


def accounts_of(config: Config, names: Sequence[str]) -> dict[str, Account]:
    """Accounts of several providers, by name."""
    return {name: account_of(name, config) for name in names}


def paces_of(config: Config, names: Sequence[str]) -> dict[str, Pace]:
    """How often each of these providers may be called, by name."""
    return {name: config.settings_of(declarations()[name].settings).pace for name in names}


def on_host_slots(config: Config, names: Sequence[str]) -> frozenset[str]:
    """Those of these providers whose calls wait for the slot of their host (see `Declaration.of_host`)."""
    paces = paces_of(config, names)
    return frozenset(name for name in names if declarations()[name].of_host and paces[name].at_once == 1)


async def provider_statuses(config: Config, book: HealthBook) -> list[ProviderStatus]:
    """The state of all known providers, for `research doctor`: on or off, what is missing, their health."""
    healths = await book.read([account_of(name, config).name for name in declarations()])
    now_ms = await book.now_ms()
    on = {provider.name for provider in providers_from(config)}
    return [
        _provider_status(name, config, health, now_ms, on=name in on)
        for name, health in zip(declarations(), healths, strict=True)
    ]


def _provider_status(name: str, config: Config, health: Health, now_ms: int, *, on: bool) -> ProviderStatus:
    allowance, missing = account_of(name, config).allowance, missing_settings(name, config)
    day, month = calendar(now_ms)
    return ProviderStatus(
        name=name,
        on=on,
        missing=missing,
        state=circuit_state(health, now_ms),
        why=used_up(health, allowance, now_ms) or resting(health, now_ms),
        usd_per_call=allowance.usd_per_call,
        calls_today=health.day_calls if health.day == day else 0,
        calls_this_month=health.month_calls if health.month == month else 0,
        per_day=allowance.per_day,
        per_month=allowance.per_month,
        answers_ms=patience_ms(health) if len(health.latencies_ms) >= LEAST_SAMPLES else 0,
        usd_this_month=health.month_usd if health.month == month else 0.0,
        note=declarations()[name].note,
    )


def _names(config: Config) -> list[str]:
    names = [name.lower() for name in config.providers] or _default_names()
    known = declarations()
    for setting, used in (("providers", names), *_settings_by_name(config).items()):
        unknown = next((name for name in used if name not in known), None)
        if unknown is not None:
            raise ConfigError(
                f"{environment_names(setting)[0]}: there is no provider {unknown!r}; known: {', '.join(known)}"
            )
    return list(dict.fromkeys(names))


def _default_names() -> list[str]:
    return [name for name, declaration in declarations().items() if declaration.default]


def _settings_by_name(config: Config) -> dict[str, Mapping[str, float]]:
    """Settings whose keys are provider names. They are checked, because a ceiling for a wrong name has no
    effect."""
    return {
        "provider_prices_usd": config.provider_prices_usd,
        "provider_daily_calls": config.provider_daily_calls,
        "provider_monthly_calls": config.provider_monthly_calls,
    }
