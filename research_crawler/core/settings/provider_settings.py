"""The base class of the settings that a search provider declares, the names of these settings, and the marks that
settings carry."""

from dataclasses import dataclass
from typing import Annotated, Final, TypeVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr
from pydantic.fields import FieldInfo

from research_crawler.core.models.messages.searches import Pace

Value = TypeVar("Value")
OUR_PREFIX = "RESEARCH_"


class _Needed:
    """Marks a required setting: without it the provider is off."""


Needed = Annotated[Value, _Needed()]
"""The type of a required setting: `api_key: Needed[SecretStr]`."""


class _Lowerable:
    """Marks a setting that a working folder may make smaller although nobody trusts it."""


Limit = Annotated[Value, _Lowerable()]
"""The type of a number that bounds the work, so that a smaller one is always safe: `max_results: Limit[int]`. The
working folder may set it below what the user has, or below its default."""


@dataclass(frozen=True)
class SentTo:
    """Marks a key with the setting that says where the key is sent: `Annotated[SecretStr, SentTo("qdrant_url")]`."""

    address: str


def _http(value: str) -> str:
    value = value.strip()
    if value and not is_http(value):
        raise ValueError("must be an http(s) URL such as http://localhost:8080")
    return value


HttpAddress = Annotated[str, AfterValidator(_http)]
"""An http(s) URL, or an empty text."""


DelaySeconds = Annotated[float, Field(ge=0, le=3600)]
CallsAtOnce = Annotated[int, Field(ge=1, le=256)]
PACE: Final = frozenset({"delay_seconds", "concurrency"})
"""Settings of how fast a service is called, which do not make it another service."""


class ProviderSettings(BaseModel):
    """The settings of one search provider. A provider's file has a subclass of it.

    The field `api_key` of the provider `hive` is the setting `hive_api_key`, with the environment names
    HIVE_API_KEY and RESEARCH_HIVE_API_KEY. A field with an alias has the alias as environment name instead.
    Each field has a default and a docstring; secrets are `SecretStr`. Values come from the same sources as
    all other settings. A provider sets its own defaults of `delay_seconds` and `concurrency` where its service
    publishes limits; without them it is called as a service without a key.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        allow_inf_nan=False,
    )

    delay_seconds: DelaySeconds = 1.0
    """Least time between two calls, over all nodes: from the end of one if `concurrency` is 1, else from its start."""
    concurrency: CallsAtOnce = 1
    """Most calls at once, over all nodes."""

    @property
    def pace(self) -> Pace:
        """How often the service may be called."""
        return Pace(delay_ms=round(self.delay_seconds * 1000), at_once=self.concurrency)

    @classmethod
    def environment_names(cls, provider: str) -> dict[str, tuple[str, ...]]:
        """Field → its environment names, the preferred one first."""
        return {field: _names(provider, field, info) for field, info in cls.model_fields.items()}

    @classmethod
    def addresses(cls) -> tuple[str, ...]:
        """The fields that say where requests, and so the provider's keys, are sent."""
        return tuple(field for field, info in cls.model_fields.items() if _is_address(info))

    @classmethod
    def needed(cls) -> tuple[str, ...]:
        """The required fields."""
        return tuple(field for field, info in cls.model_fields.items() if _is_needed(info))

    def texts(self) -> dict[str, str]:
        """What identifies the service, as text, including secrets. For comparing only; never show it."""
        return {field: _text(value) for field, value in self if field not in PACE}

    def missing(self) -> tuple[str, ...]:
        """The required fields that have no value."""
        texts = self.texts()
        return tuple(field for field in self.needed() if not texts[field])


class KeyedSettings(ProviderSettings):
    """The settings of a provider that needs a key and has one address. Both may be declared anew."""

    api_key: Needed[SecretStr] = SecretStr("")
    """Key of the provider's service; without it the provider is off."""
    base_url: HttpAddress = ""
    """Address of the provider's service; empty: its public one."""


def is_http(value: str) -> bool:
    """Whether a text is an http(s) URL with a host."""
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def is_limit(info: FieldInfo) -> bool:
    """Whether the working folder may make this field smaller."""
    return any(isinstance(marker, _Lowerable) for marker in info.metadata)


def _names(provider: str, field: str, info: FieldInfo) -> tuple[str, ...]:
    own = info.alias or f"{provider}_{field}".upper()
    return tuple(dict.fromkeys((own, OUR_PREFIX + own.removeprefix(OUR_PREFIX))))


def _is_needed(info: FieldInfo) -> bool:
    return any(isinstance(marker, _Needed) for marker in info.metadata)


def _is_address(info: FieldInfo) -> bool:
    return any(isinstance(marker, AfterValidator) and marker.func is _http for marker in info.metadata)


def _text(value: object) -> str:
    return (value.get_secret_value() if isinstance(value, SecretStr) else str(value)).strip()
