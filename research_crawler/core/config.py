"""The settings: read once, validated together and passed down. `settings/` finds and reads them."""

import ipaddress
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypedDict, TypeVar, Unpack

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from research_crawler.core.errors import ConfigError
from research_crawler.core.models.base import replaced
from research_crawler.core.models.interventions import BlockerPolicy
from research_crawler.core.models.reviews import ReviewMode
from research_crawler.core.roles import ROLES
from research_crawler.core.settings.complaints import first_complaint
from research_crawler.core.settings.provider_settings import (
    Harmless,
    HttpAddress,
    ProviderSettings,
    SentTo,
    is_http,
)
from research_crawler.core.settings.reading import AllSources
from research_crawler.core.settings.sources import gather
from research_crawler.core.settings.table import (
    Declared,
    Setting,
    by_name,
    core_names,
    core_settings,
    declared_settings,
)

Names = list[str]
"""A list. In the environment it is written as words separated by commas or spaces, or as a JSON list."""
Declaring = TypeVar("Declaring", bound=ProviderSettings)
Kind = TypeVar("Kind", bound="Config")


def default_home() -> Path:
    """The user's data folder if no setting names another."""
    return Path(platformdirs.user_data_dir("research-crawler"))


def _unprefixed(default: Any, name: str, **more: Any) -> Any:
    """A field whose environment name is `name` without a prefix; RESEARCH_<name> works too."""
    return Field(default, validation_alias=AliasChoices(name, f"RESEARCH_{name}"), **more)


class ConfigChanges(TypedDict, total=False):
    """What a process may set otherwise than its user did: for the packaged model, a demonstration, a PDF, a replay."""

    redis_prefix: str
    openai_base_url: HttpAddress
    openai_api_key: SecretStr
    mind_model: str
    reflex_model: str
    role_models: dict[str, str]
    model_concurrency: int
    sanitize_max_tokens: int
    model_context_tokens: int
    watch_confirm_seconds: float
    browser_headless: bool


LARGE_PAGE_TOKENS: Final = 16_000
"""Most tokens of a page that a model with room for it reads. Of eight long manuals, 4,000 tokens lost the central
passage of six, and 16,000 showed it."""
CONTEXT_PER_PAGE: Final = 4
"""At most one in so many tokens of a model's context is of the page that it reads."""
LEAST_PAGE_TOKENS: Final = 400
LEAST_FOR_SECTIONS: Final = 2_000


class Config(BaseSettings):
    """All settings of the core. Each has the environment name RESEARCH_<FIELD>, after the names of its alias.

    Search providers declare further settings; `research_crawler.configuration.SystemConfig` has both.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        validate_default=False,
        allow_inf_nan=False,
    )

    home: Path = Field(default_factory=default_home)
    """Data folder: embedded Redis, archive, config.toml."""
    trust_folder: bool = False
    """Whether `.env`, `research.toml` and `vendors.toml` of the working folder may set everything; only an option or
    the environment can say so."""
    redis_url: str = Field("", validation_alias=AliasChoices("RESEARCH_REDIS_URL", "REDIS_URL"))
    """URL of a Redis server; empty: an embedded Redis in the data folder."""
    redis_prefix: str = "research:"
    """Prefix of every key, so that one Redis can serve several systems."""
    database_url: str = Field("", validation_alias=AliasChoices("RESEARCH_DATABASE_URL", "DATABASE_URL"))
    """SQLAlchemy URL of the archive; empty: SQLite in the data folder."""
    qdrant_url: str = Field("", validation_alias=AliasChoices("RESEARCH_QDRANT_URL", "QDRANT_URL"))
    """URL of a Qdrant server; empty: Qdrant in memory of the process that owns the data folder."""
    qdrant_api_key: Annotated[SecretStr, SentTo("qdrant_url")] = SecretStr("")
    """Key of the Qdrant server."""

    phase1_max_searches: Harmless[int] = _unprefixed(2, "PHASE1_MAX_SEARCHES", ge=0, le=50)
    """Maximum number of searches in phase 1; if it is set, at every depth. Else standard has 5, deep 10."""
    phase1_max_visits: Harmless[int] = _unprefixed(8, "PHASE1_MAX_VISITS", ge=0, le=200)
    """Maximum number of page visits in phase 1; if it is set, at every depth. Else standard has 15, deep 40."""
    phase1_timeout_seconds: Harmless[float] = _unprefixed(120.0, "PHASE1_TIMEOUT_SECONDS", gt=0)
    """Maximum work of phase 1 in seconds: fetching and reading; waiting and the answers of models do not count. If it
    is set, at every depth; else standard has 300, deep 900."""
    phase1_max_iterations: Harmless[int] = _unprefixed(10, "PHASE1_MAX_ITERATIONS", ge=1, le=100)
    """Maximum number of planner decisions."""
    phase1_visit_delay_seconds: float = _unprefixed(5.0, "PHASE1_VISIT_DELAY_SECONDS", ge=0)
    """Minimum time between two visits of one host, counted from the end of the first."""
    delay_jitter: float = Field(0.2, ge=0, le=0.5)
    """The delay is drawn evenly from ± this share of it."""
    delay_ceiling_seconds: float = Field(60.0, gt=0)
    """Longest delay that AutoThrottle may set."""
    review: Harmless[ReviewMode] = "never"
    """When a person is asked before a job is completed: never, low_confidence (only where the evidence is not enough)
    or always. `--review` asks always."""
    blocker_policy: Harmless[BlockerPolicy] = "skip"
    """What a job does where a host shows a CAPTCHA, a login or a consent wall: skip (leave the page out) or ask (a
    person opens it in a browser: `research interventions`). `--on-blocker` sets it for one job."""
    intervention_timeout_seconds: Harmless[float] = Field(600.0, gt=0, le=86_400)
    """How long a page waits for a person; then it is left out."""
    phase2_vendors: Harmless[int] = _unprefixed(3, "PHASE2_VENDORS", ge=1, le=10)
    """Number of vendors that must answer in phase 2."""
    phase2_timeout_seconds: Harmless[float | None] = _unprefixed(None, "PHASE2_TIMEOUT_SECONDS", gt=0)
    """Maximum work of phase 2 in seconds; unset: the same as phase 1."""
    waiting_timeout_seconds: Harmless[float] = Field(3_600.0, gt=0)
    """Longest time that each phase of a job may wait in all: for hosts, search providers, busy crawlers and models.
    Time in which no crawler or no planner runs does not count."""
    memory_max_age_days: Harmless[float] = Field(7.0, ge=0)
    """Findings of earlier jobs up to this age can replace phase 1 of a new job; 0: none can."""
    max_attempts: Harmless[int] = Field(3, ge=1, le=20)
    """Maximum number of attempts: rounds of searches whose results were read; each further sub-question allows one
    more. If it is set, at every depth; else quick has 2, standard 3, deep 5."""
    enough_relevance: Harmless[float] = Field(0.7, ge=0, le=1)
    """Relevance from which, with enough coverage, no new attempt is made."""
    enough_coverage: Harmless[float] = Field(0.6, ge=0, le=1)
    """Share of the question that must be answered for that."""
    answered_confidence: Harmless[float] = Field(0.85, ge=0, le=1)
    """Confidence of the analyst in an answered question from which the research ends."""
    weak_relevance: Harmless[float] = Field(0.6, ge=0, le=1)
    """With less relevance in the best attempt the report opens with a warning, and the exit code is 3."""
    doubtful_confidence: Harmless[float] = Field(0.5, ge=0, le=1)
    """With less confidence after two attempts, the job tries a different query, a narrower question, an unused lead
    and, with --review, a person: each once."""
    hopeless_relevance: Harmless[float] = Field(0.3, ge=0, le=1)
    """With less relevance in every attempt, a job with --require-evidence asks for help."""
    exchange_rates_file: str = Field("", validation_alias=AliasChoices("RESEARCH_EXCHANGE_RATES"))
    """TOML file with your own exchange rates, to compare offers in several currencies; empty: approximate
    rates."""
    sanitize_max_tokens: Harmless[int] = _unprefixed(4000, "SANITIZE_MAX_TOKENS", ge=100)
    """Maximum number of tokens of one page that is read for the goal. If it is not set, a model whose context allows
    it reads up to 16,000 of a page: at most a quarter of its context."""
    writing_timeout_seconds: Harmless[float] = Field(180.0, gt=0)
    """Maximum time for writing the report; if it is not set, 180 s for a quick job, 300 s for a standard and 600 s for
    a deep one."""

    mind_model: str = _unprefixed("", "MIND_MODEL")
    """Model of the thorough roles; unset without an endpoint."""
    mind_temperature: Harmless[float] = _unprefixed(0.5, "MIND_TEMPERATURE", ge=0, le=2)
    """Temperature of the thorough roles."""
    reflex_model: str = _unprefixed("", "REFLEX_MODEL")
    """Model of the quick roles; falls back to MIND_MODEL."""
    reflex_temperature: Harmless[float] = _unprefixed(0.3, "REFLEX_TEMPERATURE", ge=0, le=2)
    """Temperature of the quick roles."""
    role_models: dict[str, str] = Field(default_factory=dict)
    """A model for a single role: {"report": "big-model"}. Roles: planner, scorer, extractor, report, auditor,
    section_writer, recommender, product_extractor, claim_verifier."""
    openai_api_key: Annotated[SecretStr, SentTo("openai_base_url")] = _unprefixed(
        SecretStr(""), "OPENAI_API_KEY"
    )
    """Key of the model endpoint."""
    openai_base_url: HttpAddress = _unprefixed("", "OPENAI_BASE_URL")
    """Any OpenAI-compatible endpoint; empty with a key: OpenAI's own."""
    model_concurrency: int = Field(32, ge=1)
    """Maximum number of concurrent calls to one endpoint, over all workers."""
    model_timeout_seconds: float = Field(180.0, gt=0)
    """Longest time of a single model call. It is not part of the time that a job has for its work."""
    model_context_tokens: int = Field(0, ge=0)
    """Context of the smallest of your models, in tokens; 0: large enough. Prompts, pages and answers are cut to fit."""
    role_answer_tokens: dict[str, int] = Field(default_factory=dict)
    """Maximum number of tokens of a role's answers: {"report": 6000}. Roles: as for `role_models`."""
    reasoning_answer_tokens: int = Field(8_000, ge=0)
    """Least number of tokens for the answers of models that think first (their thoughts count), and for an answer
    that was cut off and is asked for again; 0: no answer gets more tokens than its role has."""
    model_prices_usd: dict[str, tuple[float, float]] = Field(default_factory=dict)
    """Prices of models that are not listed or differ, in US dollars for a million tokens that are sent and answered:
    {"my-model": [0.15, 0.6]}."""
    day_max_tokens: int | None = Field(None, ge=1)
    """Most model tokens of a day (UTC), over all jobs and processes; unset: no limit."""
    day_max_usd: float | None = Field(None, gt=0)
    """Most money for models of a day (UTC), in US dollars, over all jobs and processes; unset: no limit."""
    embedding_model: str = ""
    """Folder or name of any sentence-transformers model on this machine; empty: the packaged all-MiniLM-L6-v2."""

    providers: Harmless[Names] = Field(default_factory=list)
    """The search providers to use, in order; empty: all that have their settings and whose service goes
    on."""
    provider_settings: dict[str, ProviderSettings] = Field(default_factory=dict, exclude=True, repr=False)
    """Search provider → the settings that it declares."""
    provider_prices_usd: dict[str, float] = Field(default_factory=dict)
    """Price of a provider's call if it differs from its list price: {"brave": 0.003}."""
    provider_daily_calls: dict[str, int] = Field(default_factory=dict)
    """Maximum number of calls of a provider per day (UTC), over all nodes: {"google": 100}."""
    provider_monthly_calls: dict[str, int] = Field(default_factory=dict)
    """Maximum number of calls of a provider per month (UTC), over all nodes: {"brave": 1000}."""
    search_timeout_seconds: Harmless[float] = Field(20.0, gt=0)
    """Longest time for the calls of a search once it has its turn at a provider; the wait for the turn has no limit."""
    web_max_results: Harmless[int] = Field(
        5, validation_alias=AliasChoices("RESEARCH_WEB_MAX_RESULTS", "web_max_results"), ge=1
    )
    """web.maxResults: number of results to request from a provider; a job's depth may raise it."""
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
    """http(s) URL of a forward proxy for all fetches; the address guard then checks names only."""
    user_agent: str = ""
    """User agent; empty: research-crawler/<version> (+contact)."""
    contact: str = ""
    """Mail address or URL in the user agent, for site operators."""
    search_results_per_host: Harmless[int] = Field(3, ge=1)
    """Maximum number of results of one host in a fused list."""
    save_directory: str = Field(
        "", validation_alias=AliasChoices("MCP_RESEARCH_SAVE_DIRECTORY", "RESEARCH_SAVE_DIRECTORY")
    )
    """Folder for the reports that a caller asks to save under a name; empty: the job's folder."""
    mcp_max_searches: Harmless[int] = Field(
        5,
        ge=1,
        le=50,
        validation_alias=AliasChoices("MCP_RESEARCH_MAX_SEARCHES", "RESEARCH_MCP_MAX_SEARCHES"),
    )
    """Searches of a job that the MCP tool start_deep_research starts, if its caller gives no number."""
    mcp_search_timeout: Harmless[float] = Field(
        120.0,
        gt=0,
        le=3_600,
        validation_alias=AliasChoices("MCP_RESEARCH_SEARCH_TIMEOUT", "RESEARCH_MCP_SEARCH_TIMEOUT"),
    )
    """Seconds of work for each search that such a job may make; with the pages that the search leads to."""
    vendors_file: str = Field("", validation_alias=AliasChoices("RESEARCH_VENDORS"))
    """TOML file with your own vendors; `vendors.toml` in RESEARCH_HOME is read too, and in a trusted working
    folder."""

    watch_confirm_seconds: float = Field(60.0, ge=0.05, le=86_400)
    """How long after a change a watch fetches the page again to confirm it."""
    webhook_secret: SecretStr = SecretStr("")
    """Secret that signs alerts to https webhooks (HMAC-SHA256); without it webhooks are refused."""

    serve_host: str = "127.0.0.1"
    """Address that `research serve` listens on. Another than this machine's own needs RESEARCH_SERVE_TOKEN."""
    serve_port: int = Field(8321, ge=0, le=65_535)
    """Port that `research serve` listens on; 0: a free one."""
    serve_hosts: Names = Field(default_factory=list)
    """Further names under which the server is reached, e.g. research.example; requests to others are refused."""
    serve_token: SecretStr = SecretStr("")
    """Bearer token of the server; empty: it is made on the first start and kept in RESEARCH_HOME/serve.token."""
    serve_max_bytes: int = Field(1_000_000, ge=1_000)
    """Largest body of a request to the server, in bytes."""
    serve_max_connections: int = Field(500, ge=1, le=100_000)
    """Maximum number of connections to the server; never more than half of the files that its process may open."""
    desk_url: str = ""
    """Address of the noVNC desk at which persons open walls of hosts; the dashboard links to it."""
    turn_dir_root: str = ""
    """Folder below which `turn_dir_path` of POST /internet.research must lie; empty: it is refused."""

    keep_pages_days: int = Field(90, ge=1, le=36_500)
    """Age in days after which pages lose their raw bytes, and pages that no finding cites are deleted."""
    archive_max_gb: float = Field(10.0, ge=0)
    """Above this size raw bytes of the oldest pages are deleted, then pages that no finding cites; 0: no
    limit."""

    node_leases: int = Field(64, ge=1, le=1000)
    """Maximum number of commands that one crawler node works on at once."""
    host_permits: int = Field(8, ge=1)
    """Maximum number of concurrent downloads from a host that needs no delay."""
    max_active_jobs: int = Field(200, ge=1)
    """Maximum number of jobs that run at once; the others stay pending."""
    batch_places: int = Field(16, ge=1, le=1_000)
    """Maximum number of rows of batches that run at once, over all batches; the others wait in the archive."""
    parse_processes: int = Field(0, ge=0)
    """Number of processes that parse pages; 0: one per core, at most 4."""
    parse_memory_mb: int = Field(1_500, ge=200)
    """Most memory, in megabytes, that a process may use for reading one page, above what it needs at its start."""
    download_timeout_seconds: float = Field(30.0, gt=0, le=30)
    """Longest time for downloading one page."""
    download_max_bytes: int = Field(10_000_000, gt=0)
    """Larger pages are refused."""
    playwright_timeout_ms: int = _unprefixed(30_000, "PLAYWRIGHT_TIMEOUT_MS", gt=0)
    """Longest time for a navigation of the browser."""
    browser_headless: bool = _unprefixed(True, "BROWSER_HEADLESS")
    """Whether the browser runs without a window."""
    browser: str = ""
    """Browser program, or `off`; empty: Playwright's own Chromium, else the system's."""
    browser_pages: int = Field(4, ge=1, le=64)
    """Maximum number of pages that one node renders at once."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    """Level of the log on stderr."""

    origins: dict[str, str] = Field(default_factory=dict, exclude=True, repr=False)
    """Setting → the source of its value, if it is not the default. This field itself is not a setting."""
    notes: tuple[str, ...] = Field((), exclude=True, repr=False)
    """Lines for the user: what was not taken from the working folder, and keys that are not sent. This field itself
    is not a setting."""

    @field_validator(
        "providers",
        "web_allowed_hosts",
        "web_blocked_hosts",
        "allow_private_hosts",
        "serve_hosts",
        mode="before",
    )
    @classmethod
    def _split_list(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return _parsed_json(value) if value.lstrip().startswith("[") else value.replace(",", " ").split()

    @field_validator(
        "role_models",
        "role_answer_tokens",
        "provider_prices_usd",
        "provider_daily_calls",
        "provider_monthly_calls",
        "model_prices_usd",
        mode="before",
    )
    @classmethod
    def _parse_mapping(cls, value: Any) -> Any:
        return _parsed_json(value) if isinstance(value, str) else value

    @field_validator("role_answer_tokens")
    @classmethod
    def _some_tokens(cls, value: dict[str, int]) -> dict[str, int]:
        if any(tokens < 1 for tokens in value.values()):
            raise ValueError("must be positive")
        return value

    @field_validator("role_models", "role_answer_tokens")
    @classmethod
    def _known_roles(cls, value: dict[str, Any]) -> dict[str, Any]:
        if unknown := next((role for role in value if role not in ROLES), None):
            raise ValueError(f"there is no role {unknown!r}; known: {', '.join(ROLES)}")
        return value

    @field_validator("home")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        # Absolute, so that the data folder stays the same when the process changes its working folder.
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

    @property
    def page_tokens(self) -> int:
        """Most tokens of one page that are read for a goal: SANITIZE_MAX_TOKENS, or what a model's context allows."""
        if "sanitize_max_tokens" in self.model_fields_set or not self.has_endpoint:
            return self.sanitize_max_tokens
        share = self.model_context_tokens // CONTEXT_PER_PAGE
        return max(LEAST_PAGE_TOKENS, min(LARGE_PAGE_TOKENS, share)) if share else LARGE_PAGE_TOKENS

    @property
    def reads_sections(self) -> bool:
        """Whether long pages are read in whole sections: by a model, and with room for several of them."""
        return self.has_endpoint and self.page_tokens >= LEAST_FOR_SECTIONS


def load_config(kind: type[Kind] = Config, /, **options: Any) -> Kind:  # type: ignore[assignment]  # its default
    """Read the settings from all sources. `options` come from the command line; None means not given.

    Args:
        kind: the class of the settings; by default those of the core.
        options: setting → value.

    Raises:
        ConfigError: names the setting as the user wrote it, and the mistake.
    """
    try:
        return kind(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        table = kind.settings()
        sourced = gather(table, options, default_home()).values
        raise ConfigError(first_complaint(error, table, sourced)) from None


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


def _parsed_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError("is not valid JSON") from error
