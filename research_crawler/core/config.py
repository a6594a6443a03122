"""Settings: read once, validated together, passed down. `config_sources` says where they come from."""

import ipaddress
import json
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

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

Names = list[str]
"""A list that the environment gives as words separated by commas or spaces, or as a JSON list."""
SHOWN_CHARS = 80
"""How much of a malformed value a message repeats."""


def default_home() -> Path:
    """The data folder of the user where nothing names another."""
    return Path(platformdirs.user_data_dir("research-crawler"))


def _named(default: Any, name: str, **more: Any) -> Any:
    """A field with the source's own name as environment name, and RESEARCH_<name> as the second."""
    return Field(default, validation_alias=AliasChoices(name, f"RESEARCH_{name}"), **more)


class Config(BaseSettings):
    """All settings. Each has the environment name RESEARCH_<FIELD>, and those of its alias before it."""

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
    openai_base_url: str = _named("", "OPENAI_BASE_URL")
    """Any OpenAI-compatible endpoint; empty with a key: OpenAI's own."""
    model_concurrency: int = Field(32, ge=1)
    """Calls to one endpoint at once, over all workers."""
    model_timeout_seconds: float = Field(60.0, gt=0)
    """Longest single model call."""
    embedding_model: str = ""
    """Path of a sentence-transformers model; empty: the packaged all-MiniLM-L6-v2."""

    providers: Names = Field(default_factory=list)
    """Search providers in order, no others; empty: SearXNG where its URL is set, DuckDuckGo, Wikipedia."""
    searxng_url: str = _named("", "SEARXNG_URL")
    """Base URL of a SearXNG instance with JSON output on."""
    duckduckgo_base_url: str = _named("", "DUCKDUCKGO_BASE_URL")
    """For tests and proxies; empty: html.duckduckgo.com and api.duckduckgo.com."""
    wikipedia_base_url: str = _named("", "WIKIPEDIA_BASE_URL")
    """Empty: https://<language>.wikipedia.org."""
    brave_api_key: SecretStr = _named(SecretStr(""), "BRAVE_API_KEY")
    """Key of the Brave Search API; without it the provider is off."""
    brave_base_url: str = _named("", "BRAVE_BASE_URL")
    """Empty: https://api.search.brave.com."""
    tavily_api_key: SecretStr = _named(SecretStr(""), "TAVILY_API_KEY")
    """Key of the Tavily API; without it the provider is off."""
    tavily_base_url: str = _named("", "TAVILY_BASE_URL")
    """Empty: https://api.tavily.com."""
    google_api_key: SecretStr = _named(SecretStr(""), "GOOGLE_API_KEY")
    """Key of Google's Custom Search JSON API, closed to new customers and ending on 1 January 2027."""
    google_cse_id: str = _named("", "GOOGLE_CSE_ID")
    """The search engine's id (cx); Google is off without both, and without being named in RESEARCH_PROVIDERS."""
    google_cse_base_url: str = _named("", "GOOGLE_CSE_BASE_URL")
    """Empty: https://www.googleapis.com."""
    bing_api_key: SecretStr = _named(SecretStr(""), "BING_API_KEY")
    """Key of a service that speaks Bing's API v7, whose own ended on 11 August 2025; used only when named."""
    bing_base_url: str = _named("", "BING_BASE_URL")
    """Empty: https://api.bing.microsoft.com."""
    typed_engine_url: str = ""
    """Home page of the engine that the provider `browser` types into; empty: https://www.mojeek.com/."""
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
    mcp_research_max_searches: int = _named(5, "MCP_RESEARCH_MAX_SEARCHES", ge=1, le=50)
    """Searches of a job started over MCP."""
    mcp_research_save_directory: str = _named("", "MCP_RESEARCH_SAVE_DIRECTORY")
    """Folder that save_to_file may write below; empty: reports stay in the job folder."""
    mcp_research_search_timeout: float = _named(120.0, "MCP_RESEARCH_SEARCH_TIMEOUT", gt=0)
    """Active time of a job started over MCP."""
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

    @field_validator(
        "openai_base_url",
        "searxng_url",
        "duckduckgo_base_url",
        "wikipedia_base_url",
        "brave_base_url",
        "tavily_base_url",
        "google_cse_base_url",
        "bing_base_url",
        "typed_engine_url",
    )
    @classmethod
    def _http(cls, value: str) -> str:
        value = value.strip()
        if value and not _is_http(value):
            raise ValueError("must be an http(s) URL such as http://localhost:8080")
        return value

    @field_validator("proxy")
    @classmethod
    def _http_proxy(cls, value: SecretStr) -> SecretStr:
        stripped = value.get_secret_value().strip()
        if stripped and not _is_http(stripped):
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

    def __init__(self, settings_cls: type[BaseSettings], options: dict[str, Any]) -> None:
        super().__init__(settings_cls)
        self.given = _gather(options)

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The raw value of one setting."""
        return self.given[field_name].value if field_name in self.given else None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values, and their origins."""
        values = {name: one.value for name, one in self.given.items()}
        return {**values, "origins": {name: one.origin for name, one in self.given.items()}}


def load_config(**options: Any) -> Config:
    """Settings from all sources; `options` come from the command line, None means not given.

    Raises:
        ConfigError: naming the setting as it was written and what is wrong with it.
    """
    try:
        return Config(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        raise ConfigError(_first_complaint(error, _gather(options))) from None


def environment_names(setting: str) -> tuple[str, ...]:
    """The environment names of a setting, the preferred one first."""
    alias = Config.model_fields[setting].validation_alias
    listed = [str(name) for name in alias.choices] if isinstance(alias, AliasChoices) else []
    return tuple(dict.fromkeys([*(name for name in listed if name.isupper()), f"RESEARCH_{setting.upper()}"]))


def setting_names() -> dict[str, tuple[str, ...]]:
    """Every setting with its environment names."""
    return {name: environment_names(name) for name in Config.model_fields if name != "origins"}


def is_secret(setting: str) -> bool:
    """Whether a setting's value is never shown."""
    return Config.model_fields[setting].annotation is SecretStr


def _gather(options: dict[str, Any]) -> dict[str, Given]:
    return gather(setting_names(), options, default_home())


def _first_complaint(error: ValidationError, given: dict[str, Given]) -> str:
    first = error.errors(include_url=False)[0]
    setting = _setting_of(str(first["loc"][0]) if first["loc"] else "")
    one = given.get(setting, Given(None, setting, ""))
    where = f" in {one.origin}" if one.origin not in ("", "option") and one.name not in one.origin else ""
    message = first["msg"].removeprefix("Value error, ").split(", unable to ")[0]
    got = (
        f" (got {_shortened(first.get('input'))})"
        if setting in setting_names() and not is_secret(setting)
        else ""
    )
    return f"{one.name}{where}: {message[:1].lower()}{message[1:]}{got}"


def _shortened(value: Any) -> str:
    text = masked(repr(value))
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + "…"


def _setting_of(location: str) -> str:
    """The field that pydantic complains of: it names a field by its first alias."""
    for setting, names in setting_names().items():
        if location == setting or location in names:
            return setting
    return location


def _parsed_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError("is not valid JSON") from error


def _is_http(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
