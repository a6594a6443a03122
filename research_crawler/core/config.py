"""Settings: read once, validated together, passed down. `config_sources` says where they come from."""

import ipaddress
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self, TypedDict, TypeVar, Unpack

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from research_crawler.core.config_sources import Given, gather, masked
from research_crawler.core.errors import ConfigError
from research_crawler.core.models.base import replaced
from research_crawler.core.provider_settings import HttpAddress, ProviderSettings, is_http
from research_crawler.core.setting_table import (
    Declared,
    Setting,
    by_name,
    core_names,
    core_settings,
    declared_settings,
)

Names = list[str]
"""A list that the environment gives as words separated by commas or spaces, or as a JSON list."""
Declaring = TypeVar("Declaring", bound=ProviderSettings)
Kind = TypeVar("Kind", bound="Config")
SHOWN_CHARS = 80
"""How much of a malformed value a message repeats."""


def default_home() -> Path:
    """The data folder of the user where nothing names another."""
    return Path(platformdirs.user_data_dir("research-crawler"))


def _named(default: Any, name: str, **more: Any) -> Any:
    """A field with the source's own name as environment name, and RESEARCH_<name> as the second."""
    return Field(default, validation_alias=AliasChoices(name, f"RESEARCH_{name}"), **more)


class ConfigChanges(TypedDict, total=False):
    """What a process may set otherwise than its user did: for the packaged model, and for a demonstration."""

    openai_base_url: HttpAddress
    openai_api_key: SecretStr
    mind_model: str
    reflex_model: str
    role_models: dict[str, str]
    model_concurrency: int
    sanitize_max_tokens: int
    watch_confirm_seconds: float


class Config(BaseSettings):
    """All settings of the core. Each has the environment name RESEARCH_<FIELD>, and those of its alias before it.

    Search providers declare settings of their own; `research_crawler.configuration.SystemConfig` has both.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        validate_default=False,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )

    home: Path = Field(default_factory=default_home)
    """Data folder: embedded Redis, archive, config.toml."""
    redis_url: str = Field("", validation_alias=AliasChoices("RESEARCH_REDIS_URL", "REDIS_URL"))
    """Empty: an embedded Redis in the data folder."""
    redis_prefix: str = "research:"
    """Prefix of every key, so that one Redis can serve several systems."""
    database_url: str = Field("", validation_alias=AliasChoices("RESEARCH_DATABASE_URL", "DATABASE_URL"))
    """SQLAlchemy URL of the archive; empty: SQLite in the data folder."""
    qdrant_url: str = Field("", validation_alias=AliasChoices("RESEARCH_QDRANT_URL", "QDRANT_URL"))
    """Empty: Qdrant in memory of the owner of the data folder, rebuilt from the archive."""
    qdrant_api_key: SecretStr = SecretStr("")
    """Key of the Qdrant server."""

    phase1_max_searches: int = _named(2, "PHASE1_MAX_SEARCHES", ge=0, le=50)
    """Searches of phase 1."""
    phase1_max_visits: int = _named(8, "PHASE1_MAX_VISITS", ge=0, le=200)
    """Page visits of phase 1."""
    phase1_timeout_seconds: float = _named(120.0, "PHASE1_TIMEOUT_SECONDS", gt=0)
    """Active time of phase 1."""
    phase1_max_iterations: int = _named(10, "PHASE1_MAX_ITERATIONS", ge=1, le=100)
    """Decisions of the planner."""
    phase1_visit_delay_seconds: float = _named(5.0, "PHASE1_VISIT_DELAY_SECONDS", ge=0)
    """Least time between two visits of one host, from the end of the first."""
    delay_jitter: float = Field(0.2, ge=0, le=0.5)
    """The delay is drawn evenly from ± this share."""
    delay_ceiling_seconds: float = Field(60.0, gt=0)
    """AutoThrottle never asks for more."""
    phase2_vendors: int = _named(3, "PHASE2_VENDORS", ge=1, le=10)
    """Vendors that are to answer in phase 2."""
    phase2_timeout_seconds: float | None = _named(None, "PHASE2_TIMEOUT_SECONDS", gt=0)
    """Active time of phase 2; unset: as much as phase 1 has."""
    memory_max_age_days: float = Field(7.0, ge=0)
    """Findings of earlier jobs that are older do not spare a new one its phase 1; 0: none do."""
    exchange_rates_file: str = Field("", validation_alias=AliasChoices("RESEARCH_EXCHANGE_RATES"))
    """TOML file with rates of your own, to compare offers in several currencies; empty: packaged approximate ones."""
    sanitize_max_tokens: int = _named(4000, "SANITIZE_MAX_TOKENS", ge=100)
    """What a model is shown of one page."""
    writing_timeout_seconds: float = Field(60.0, gt=0)
    """Time for writing the report."""

    mind_model: str = _named("", "MIND_MODEL")
    """Model of the thorough roles; unset without an endpoint."""
    mind_temperature: float = _named(0.5, "MIND_TEMPERATURE", ge=0, le=2)
    """Temperature of the thorough roles."""
    reflex_model: str = _named("", "REFLEX_MODEL")
    """Model of the quick roles; falls back to MIND_MODEL."""
    reflex_temperature: float = _named(0.3, "REFLEX_TEMPERATURE", ge=0, le=2)
    """Temperature of the quick roles."""
    role_models: dict[str, str] = Field(default_factory=dict)
    """A model for a single role: {"report": "big-model"}."""
    openai_api_key: SecretStr = _named(SecretStr(""), "OPENAI_API_KEY")
    """Key of the model endpoint."""
    openai_base_url: HttpAddress = _named("", "OPENAI_BASE_URL")
    """Any OpenAI-compatible endpoint; empty with a key: OpenAI's own."""
    model_concurrency: int = Field(32, ge=1)
    """Calls to one endpoint at once, over all workers."""
    model_timeout_seconds: float = Field(60.0, gt=0)
    """Longest single model call."""
    embedding_model: str = ""
    """Path of a sentence-transformers model; empty: the packaged all-MiniLM-L6-v2."""

    providers: Names = Field(default_factory=list)
    """Search providers in order, no others; empty: all that have what they need and stay in service."""
    provider_settings: dict[str, ProviderSettings] = Field(default_factory=dict, exclude=True, repr=False)
    """Search provider → the settings that it declares for itself."""
    provider_prices_usd: dict[str, float] = Field(default_factory=dict)
    """Price of a provider's call where it differs from its list price: {"brave": 0.003}."""
    provider_daily_calls: dict[str, int] = Field(default_factory=dict)
    """Most calls of a provider in a day (UTC), over all nodes: {"google": 100}."""
    provider_monthly_calls: dict[str, int] = Field(default_factory=dict)
    """Most calls of a provider in a month (UTC), over all nodes: {"brave": 1000}."""
    search_timeout_seconds: float = Field(20.0, gt=0)
    """How long one provider may take, waiting for its permit included."""
    web_max_results: int = Field(
        5, validation_alias=AliasChoices("RESEARCH_WEB_MAX_RESULTS", "web_max_results"), ge=1
    )
    """web.maxResults: least number of results asked of a provider; depth may raise it."""
    web_allowed_hosts: Names = Field(
        default_factory=list, validation_alias=AliasChoices("RESEARCH_ALLOWED_HOSTS", "web_allowed_hosts")
    )
    """web.allowedHosts: empty means any public host."""
    web_blocked_hosts: Names = Field(
        default_factory=lambda: ["localhost", "127.0.0.1", "0.0.0.0"],  # noqa: S104  # refused, not bound
        validation_alias=AliasChoices("RESEARCH_BLOCKED_HOSTS", "web_blocked_hosts"),
    )
    """web.blockedHosts."""
    allow_private_hosts: Names = Field(default_factory=list)
    """CIDRs of private networks that the address guard opens."""
    proxy: SecretStr = SecretStr("")
    """http(s) URL of a forward proxy that every fetch goes through; the address guard then judges names only."""
    user_agent: str = ""
    """Empty: research-crawler/<version> (+contact)."""
    contact: str = ""
    """Mail address or URL in the user agent, for operators of sites."""
    search_results_per_host: int = Field(3, ge=1)
    """Most results of one host in a fused list."""
    vendors_file: str = Field("", validation_alias=AliasChoices("RESEARCH_VENDORS"))
    """TOML file with vendors of your own; `vendors.toml` of the working folder and of RESEARCH_HOME is read as well."""

    watch_confirm_seconds: float = Field(60.0, ge=0.05, le=86_400)
    """How long after a look that says something new a watch fetches the page again, to confirm it."""
    webhook_secret: SecretStr = SecretStr("")
    """Signs alerts that go to an https webhook (HMAC-SHA256); without it webhooks are refused."""

    keep_pages_days: int = Field(90, ge=1, le=36_500)
    """Older pages lose their raw bytes; those that no finding cites go."""
    archive_max_gb: float = Field(10.0, ge=0)
    """Above it raw bytes of pages go, oldest first, then pages that no finding cites; 0: no limit."""

    node_leases: int = Field(64, ge=1, le=1000)
    """Commands one crawler node works on at once."""
    host_permits: int = Field(8, ge=1)
    """Downloads at once from a host without any delay."""
    max_active_jobs: int = Field(200, ge=1)
    """Jobs admitted at once; the rest are pending."""
    parse_processes: int = Field(0, ge=0)
    """Processes that parse pages; 0: one per core, at most 4."""
    download_timeout_seconds: float = Field(30.0, gt=0, le=30)
    """Longest download of one page."""
    download_max_bytes: int = Field(10_000_000, gt=0)
    """Larger pages are refused."""
    playwright_timeout_ms: int = _named(30_000, "PLAYWRIGHT_TIMEOUT_MS", gt=0)
    """Longest navigation of the browser."""
    browser_headless: bool = _named(True, "BROWSER_HEADLESS")
    """Whether the browser runs without a window."""
    browser: str = ""
    """Browser that renders: empty: Playwright's own Chromium, else the system's; a program; or `off`."""
    browser_pages: int = Field(4, ge=1, le=64)
    """Pages that one node renders at once."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    """Level of the log on stderr."""

    origins: dict[str, str] = Field(default_factory=dict, exclude=True, repr=False)
    """Setting → where its value came from, for settings that are not at their default. No setting itself."""

    @field_validator(
        "providers", "web_allowed_hosts", "web_blocked_hosts", "allow_private_hosts", mode="before"
    )
    @classmethod
    def _words(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return _parsed_json(value) if value.lstrip().startswith("[") else value.replace(",", " ").split()

    @field_validator(
        "role_models",
        "provider_prices_usd",
        "provider_daily_calls",
        "provider_monthly_calls",
        mode="before",
    )
    @classmethod
    def _roles(cls, value: Any) -> Any:
        return _parsed_json(value) if isinstance(value, str) else value

    @field_validator("home")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        # The data folder must not move when a process changes its working folder.
        return value.expanduser().absolute()

    @field_validator("provider_prices_usd", "provider_daily_calls", "provider_monthly_calls")
    @classmethod
    def _amounts(cls, value: dict[str, float]) -> dict[str, float]:
        if any(amount < 0 for amount in value.values()):
            raise ValueError("must not be negative")
        return {name.strip().lower(): amount for name, amount in value.items()}

    @field_validator("proxy")
    @classmethod
    def _http_proxy(cls, value: SecretStr) -> SecretStr:
        stripped = value.get_secret_value().strip()
        if stripped and not is_http(stripped):
            raise ValueError("must be an http(s) URL such as http://user:password@proxy.example:3128")
        return SecretStr(stripped)

    @field_validator("allow_private_hosts")
    @classmethod
    def _networks(cls, value: list[str]) -> list[str]:
        for network in value:
            try:
                ipaddress.ip_network(network, strict=False)
            except ValueError as error:
                raise ValueError("must be networks such as 127.0.0.0/8 or fd00::/8") from error
        return value

    @classmethod
    def declared(cls) -> Declared:
        """The settings that search providers declare for themselves: none here, for the core knows no provider."""
        return {}

    @classmethod
    def settings(cls) -> dict[str, Setting]:
        """Every setting by its name; those of the search providers follow RESEARCH_PROVIDERS."""
        return by_name(_in_order(cls))

    def settings_of(self, kind: type[Declaring]) -> Declaring:
        """The settings of the search provider that declares this model.

        Raises:
            ConfigError: this configuration was read without them.
        """
        for one in self.provider_settings.values():
            if isinstance(one, kind):
                return one
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
        """One source that knows the order of row 6.5 and where each value came from."""
        options = init_settings.init_kwargs if isinstance(init_settings, InitSettingsSource) else {}
        return (_AllSources(settings_cls, options),)

    def changed(self, **changes: Unpack[ConfigChanges]) -> Self:
        """A copy with other values of the given fields."""
        return replaced(self, **changes)

    @property
    def reflex_or_mind_model(self) -> str:
        """The model of the quick roles."""
        return self.reflex_model or self.mind_model

    @property
    def has_endpoint(self) -> bool:
        """Whether a model endpoint is configured."""
        return bool(self.openai_base_url or self.openai_api_key.get_secret_value())


class _AllSources(PydanticBaseSettingsSource):
    """All sources under the settings' field names: pydantic's own would mix up a setting's several names."""

    def __init__(self, kind: type[BaseSettings], options: dict[str, Any]) -> None:
        super().__init__(kind)
        assert issubclass(kind, Config)
        self.kind, self.table = kind, kind.settings()
        self.given = _gather(self.table, options)

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The raw value of one setting."""
        return self.given[field_name].value if field_name in self.given else None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values, and their origins."""
        values = {name: one.value for name, one in self.given.items() if not self.table[name].provider}
        declared = {
            provider: self._declared(provider, kind) for provider, kind in self.kind.declared().items()
        }
        origins = {name: one.origin for name, one in self.given.items()}
        return {**values, **({"provider_settings": declared} if declared else {}), "origins": origins}

    def _declared(self, provider: str, kind: type[ProviderSettings]) -> ProviderSettings:
        settings = [one for one in self.table.values() if one.provider == provider and one.name in self.given]
        try:
            return kind.model_validate({one.field: self.given[one.name].value for one in settings})
        except ValidationError as error:
            raise ConfigError(_first_complaint(error, self.table, self.given, provider)) from None


def load_config(kind: type[Kind] = Config, /, **options: Any) -> Kind:  # type: ignore[assignment]  # its default
    """Settings from all sources; `options` come from the command line, None means not given.

    Args:
        kind: which settings there are; the core's where nothing is said.
        options: setting → value.

    Raises:
        ConfigError: naming the setting as it was written and what is wrong with it.
    """
    try:
        return kind(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        table = kind.settings()
        raise ConfigError(_first_complaint(error, table, _gather(table, options))) from None


def environment_names(setting: str) -> tuple[str, ...]:
    """The environment names of one of the core's settings, the preferred one first."""
    return core_names(setting, Config.model_fields[setting])


def setting_names(kind: type[Config] = Config) -> dict[str, tuple[str, ...]]:
    """Every setting with its environment names."""
    return {name: setting.environment for name, setting in kind.settings().items()}


def _in_order(kind: type[Config]) -> Iterator[Setting]:
    for setting in core_settings(kind):
        if setting.name == "provider_settings":
            yield from declared_settings(kind.declared())
        elif setting.name != "origins":
            yield setting


def _gather(table: Mapping[str, Setting], options: dict[str, Any]) -> dict[str, Given]:
    return gather({name: setting.environment for name, setting in table.items()}, options, default_home())


def _first_complaint(
    error: ValidationError, table: Mapping[str, Setting], given: Mapping[str, Given], provider: str = ""
) -> str:
    first = error.errors(include_url=False)[0]
    location = str(first["loc"][0]) if first["loc"] else ""
    setting = next((one for one in table.values() if _is_meant(one, location, provider)), None)
    name = setting.name if setting else location
    one = given.get(name, Given(None, name, ""))
    where = f" in {one.origin}" if one.origin not in ("", "option") and one.name not in one.origin else ""
    message = first["msg"].removeprefix("Value error, ").split(", unable to ")[0]
    got = f" (got {_shortened(first.get('input'))})" if setting and not setting.secret else ""
    return f"{one.name}{where}: {message[:1].lower()}{message[1:]}{got}"


def _is_meant(setting: Setting, location: str, provider: str) -> bool:
    """Whether pydantic complains of this setting: it names a field by its first alias."""
    return setting.provider == provider and location in (setting.field, *setting.environment)


def _shortened(value: Any) -> str:
    text = masked(repr(value))
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + "…"


def _parsed_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError("is not valid JSON") from error
