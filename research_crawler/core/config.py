"""The settings: read once, validated together and passed down. `settings/` finds and reads them."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypedDict, TypeVar, Unpack

from pydantic import Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from research_crawler.core.errors import ConfigError
from research_crawler.core.settings.groups.model_settings import LanguageModelSettings
from research_crawler.core.settings.groups.process_settings import ProcessSettings
from research_crawler.core.settings.groups.research_settings import ResearchSettings
from research_crawler.core.settings.groups.serving_settings import ServingSettings
from research_crawler.core.settings.groups.storage_settings import StorageSettings, default_home
from research_crawler.core.settings.groups.web_settings import WebSettings
from research_crawler.core.settings.provider_settings import (
    HttpAddress,
    ProviderSettings,
)
from research_crawler.core.settings.sources import Gathered, gather, masked
from research_crawler.core.settings.table import (
    Declared,
    Setting,
    by_name,
    core_names,
    core_settings,
    declared_settings,
)
from research_crawler.core.settings.trust import SourcedValue

SHOWN_CHARS: Final = 80
"""How many characters of a malformed value an error message shows."""


class AllSources(PydanticBaseSettingsSource):
    """Reads all sources by field name; pydantic's own sources would mix up the several names of a setting."""

    def __init__(
        self,
        kind: type[BaseSettings],
        table: Mapping[str, Setting],
        declared: Declared,
        gathered: Gathered,
    ) -> None:
        """`table` has all settings, `declared` those of search providers, `gathered` what their sources say."""
        super().__init__(kind)
        self.table, self.declared, self.gathered = table, declared, gathered
        self.sourced = gathered.values

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The raw value of one setting."""
        return self.sourced[field_name].value if field_name in self.sourced else None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values, and their origins."""
        values = {name: value.value for name, value in self.sourced.items() if not self.table[name].provider}
        declared = {
            provider: self._provider_settings(provider, kind) for provider, kind in self.declared.items()
        }
        origins = {name: value.origin for name, value in self.sourced.items()}
        computed = {"provider_settings": declared, "notes": self.gathered.notes}
        return {**values, **{name: value for name, value in computed.items() if value}, "origins": origins}

    def _provider_settings(self, provider: str, kind: type[ProviderSettings]) -> ProviderSettings:
        settings = [
            setting
            for setting in self.table.values()
            if setting.provider == provider and setting.name in self.sourced
        ]
        try:
            return kind.model_validate(
                {setting.field: self.sourced[setting.name].value for setting in settings}
            )
        except ValidationError as error:
            raise ConfigError(_first_complaint(error, self.table, self.sourced, provider)) from None


Declaring = TypeVar("Declaring", bound=ProviderSettings)
Kind = TypeVar("Kind", bound="Config")


class ConfigChanges(TypedDict, total=False):
    """What a process may set otherwise than its user did: for the packaged model, a demonstration, a PDF, a replay."""

    redis_prefix: str
    openai_base_url: HttpAddress
    openai_api_key: SecretStr
    mind_model: str
    reflex_model: str
    role_models: dict[str, str]
    model_concurrency: int
    page_max_tokens: int
    model_context_tokens: int
    watch_confirm_seconds: float
    browser_headless: bool


class SettingOptions(TypedDict, total=False):
    """Settings that a program sets before it starts, above what environment and files say; None: it does not."""

    home: Path | str | None
    trust_folder: bool | None
    redis_url: str | None
    node_leases: int | None
    providers: list[str] | None
    vendors_file: str | None
    allow_private_hosts: list[str] | None
    phase1_visit_delay_seconds: float | None
    serve_host: str | None
    serve_port: int | None


LARGE_PAGE_TOKENS: Final = 16_000
"""Most tokens of a page that a model with room for it reads. Of eight long manuals, 4,000 tokens lost the central
passage of six, and 16,000 showed it."""
CONTEXT_PER_PAGE: Final = 4
"""At most one in so many tokens of a model's context is of the page that it reads."""
LEAST_PAGE_TOKENS: Final = 400
"""Fewest tokens of a page that a model reads, however small its context is."""
LEAST_FOR_SECTIONS: Final = 2_000
"""With room for fewer tokens, a model is not given whole sections of long pages."""


class Config(
    ProcessSettings, ServingSettings, WebSettings, LanguageModelSettings, ResearchSettings, StorageSettings
):
    """All settings of the core. `settings/groups/` declares them; their order is that of the groups from the last one.

    Each has the environment name RESEARCH_<FIELD>, after the names of its alias.

    Search providers declare further settings; `research_crawler.configuration.SystemConfig` has both.
    """

    model_config = SettingsConfigDict(defer_build=False)

    origins: dict[str, str] = Field(default_factory=dict, exclude=True, repr=False)
    """Setting → the source of its value, if it is not the default. This field itself is not a setting."""
    notes: tuple[str, ...] = Field((), exclude=True, repr=False)
    """Lines for the user: what was not taken from the working folder, and keys that are not sent. This field itself
    is not a setting."""

    @classmethod
    def declared(cls) -> Declared:
        """The settings that search providers declare. There are none here, because core knows no provider."""
        return {}

    @classmethod
    def settings(cls) -> dict[str, Setting]:
        """All settings by name; those of the search providers come after RESEARCH_PROVIDERS."""
        return by_name(_ordered_settings(cls))

    def settings_of(self, kind: type[Declaring]) -> Declaring:
        """The settings of the search provider that declares this model.

        Raises:
            ConfigError: this configuration was read without provider settings.
        """
        for settings in self.provider_settings.values():
            if isinstance(settings, kind):
                return settings
        raise ConfigError(
            f"{kind.__name__} are not part of this configuration; read it with "
            "research_crawler.configuration.load_system_config"
        )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Use one source, which reads all others in their order and knows where each value came from."""
        options = init_settings.init_kwargs if isinstance(init_settings, InitSettingsSource) else {}
        table = cls.settings()
        gathered = gather(table, options, default_home())
        return (AllSources(settings_cls, table, cls.declared(), gathered),)

    @property
    def reflex_or_mind_model(self) -> str:
        """The model of the quick roles."""
        return self.reflex_model or self.mind_model

    @property
    def is_offline(self) -> bool:
        """Whether nothing is asked of the web: no search, no page."""
        return self.profile == "smoke"

    @property
    def has_endpoint(self) -> bool:
        """Whether a model endpoint is configured."""
        return bool(self.openai_base_url or self.openai_api_key.get_secret_value())

    @property
    def model_tag(self) -> str:
        """Names the models that are asked, without telling where they are; "" without an endpoint.

        A job keeps it, so that all processes know which models are its own after others were set.
        """
        if not self.has_endpoint:
            return ""
        asked = (self.openai_base_url, self.mind_model, self.reflex_model, sorted(self.role_models.items()))
        return hashlib.sha256(repr(asked).encode()).hexdigest()[:12]

    @property
    def page_tokens(self) -> int:
        """Most tokens of one page that are read for a goal: PAGE_MAX_TOKENS, or what a model's context allows."""
        if "page_max_tokens" in self.model_fields_set or not self.has_endpoint:
            return self.page_max_tokens
        share = self.model_context_tokens // CONTEXT_PER_PAGE
        return max(LEAST_PAGE_TOKENS, min(LARGE_PAGE_TOKENS, share)) if share else LARGE_PAGE_TOKENS

    @property
    def reads_sections(self) -> bool:
        """Whether long pages are read in whole sections: by a model, and with room for several of them."""
        return self.has_endpoint and self.page_tokens >= LEAST_FOR_SECTIONS


def load_core_config(
    kind: type[Kind] = Config,  # type: ignore[assignment]  # its default
    /,
    **options: Unpack[SettingOptions],
) -> Kind:
    """Read the core's settings from all sources, without those of search providers.

    `configuration.load_system_config` reads these too.
    """
    return read_config(kind, options)


def read_config(kind: type[Kind], options: Mapping[str, object]) -> Kind:
    """Read the settings from all sources.

    Args:
        kind: the class of the settings.
        options: setting → value, of any setting that the kind has; they come from the program itself, and None means
            not given.

    Raises:
        ConfigError: names the setting as the user wrote it, and the mistake.
    """
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    try:
        return kind(**given)
    except ValidationError as error:
        table = kind.settings()
        sourced = gather(table, options, default_home()).values
        raise ConfigError(_first_complaint(error, table, sourced)) from None


def environment_names(setting: str) -> tuple[str, ...]:
    """The environment names of one of the core's settings, the preferred one first."""
    return core_names(setting, Config.model_fields[setting])


def setting_names(kind: type[Config] = Config) -> dict[str, tuple[str, ...]]:
    """Every setting with its environment names."""
    return {name: setting.environment for name, setting in kind.settings().items()}


def _ordered_settings(kind: type[Config]) -> Iterator[Setting]:
    for setting in core_settings(kind):
        if setting.name == "provider_settings":
            yield from declared_settings(kind.declared())
        elif setting.name not in ("origins", "notes"):
            yield setting


def _first_complaint(
    error: ValidationError,
    table: Mapping[str, Setting],
    sourced: Mapping[str, SourcedValue],
    provider: str = "",
) -> str:
    """The first mistake that pydantic found; `provider` declares the settings, if a search provider does."""
    first = error.errors(include_url=False)[0]
    location = str(first["loc"][0]) if first["loc"] else ""
    setting = next((known for known in table.values() if _is_setting_at(known, location, provider)), None)
    name = setting.name if setting else location
    source = sourced.get(name, SourcedValue(None, name, ""))
    is_named = source.origin in ("", "option") or source.name in source.origin
    where = "" if is_named else f" in {source.origin}"
    message = first["msg"].removeprefix("Value error, ").split(", unable to ")[0]
    got = f" (got {_shortened(first.get('input'))})" if setting and not setting.secret else ""
    return f"{source.name}{where}: {message[:1].lower()}{message[1:]}{got}"


def _is_setting_at(setting: Setting, location: str, provider: str) -> bool:
    """Whether pydantic's error is about this setting; pydantic names a field by its first alias."""
    return setting.provider == provider and location in (setting.field, *setting.environment)


def _shortened(value: Any) -> str:
    text = masked(repr(value))
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + "…"
