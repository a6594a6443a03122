"""The table of all settings, of the core and of search providers: names, secrecy, and who may set them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

from pydantic import AliasChoices, BaseModel, SecretStr
from pydantic.fields import FieldInfo

from research_crawler.core.settings.provider_settings import OUR_PREFIX, ProviderSettings, SentTo, is_limit

Declared = Mapping[str, type[ProviderSettings]]
"""Search provider → the model of its settings."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting, with its names in options, the environment and files."""

    name: str
    """Name in options and TOML files."""
    environment: tuple[str, ...]
    """Environment names, the preferred one first."""
    field: str
    """Field of the model that has the value."""
    provider: str = ""
    """The search provider that declares it; empty: the core."""
    secret: bool = False
    """Whether its value is never shown."""
    limit: float | None = None
    """Up to what the working folder may set it although nobody trusts the folder; None: it may not."""
    sent_to: tuple[str, ...] = ()
    """For a key: the settings that say where it is sent."""


def core_settings(model: type[BaseModel]) -> Iterator[Setting]:
    """The settings that are fields of the model."""
    for field, info in model.model_fields.items():
        sent_to = tuple(marker.address for marker in info.metadata if isinstance(marker, SentTo))
        yield _setting(info, name=field, field=field, environment=core_names(field, info), sent_to=sent_to)


def declared_settings(declared: Declared) -> Iterator[Setting]:
    """The settings that search providers declare, provider by provider."""
    for provider, model in declared.items():
        names = model.environment_names(provider)
        addresses = tuple(_own_name(names[field]) for field in model.addresses())
        for field, info in model.model_fields.items():
            yield _setting(
                info,
                name=_own_name(names[field]),
                field=field,
                environment=names[field],
                provider=provider,
                sent_to=addresses if _is_secret(info) else (),
            )


def core_names(field: str, info: FieldInfo) -> tuple[str, ...]:
    """The environment names of one of the core's settings, the preferred one first."""
    alias = info.validation_alias
    listed = [str(name) for name in alias.choices] if isinstance(alias, AliasChoices) else []
    own = [name for name in listed if name.isupper()]
    return tuple(dict.fromkeys([*own, f"{OUR_PREFIX}{field.upper()}"]))


def by_name(settings: Iterator[Setting]) -> dict[str, Setting]:
    """Settings by name.

    Raises:
        ValueError: two settings share a name; one of them needs another name.
    """
    table: dict[str, Setting] = {}
    taken: dict[str, str] = {}
    for setting in settings:
        for name in dict.fromkeys((setting.name.upper(), *setting.environment)):
            if name in taken:
                raise ValueError(f"the settings {taken[name]} and {setting.name} share the name {name}")
            taken[name] = setting.name
        table[setting.name] = setting
    return table


def _own_name(environment: tuple[str, ...]) -> str:
    return environment[0].removeprefix(OUR_PREFIX).lower()


def _is_secret(info: FieldInfo) -> bool:
    return info.annotation is SecretStr or SecretStr in get_args(info.annotation)


def _setting(
    info: FieldInfo,
    *,
    name: str,
    field: str,
    environment: tuple[str, ...],
    provider: str = "",
    sent_to: tuple[str, ...] = (),
) -> Setting:
    return Setting(
        name=name,
        environment=environment,
        field=field,
        provider=provider,
        secret=_is_secret(info),
        limit=float(info.default) if is_limit(info) else None,
        sent_to=sent_to,
    )
