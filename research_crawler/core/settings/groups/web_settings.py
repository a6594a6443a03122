"""Settings: search providers, vendors, and what may be fetched from the web."""

import ipaddress
from typing import Any

from pydantic import AliasChoices, Field, SecretStr, field_validator

from research_crawler.core.settings.groups.group import (
    Names,
    SettingsGroup,
    parsed_mapping,
    split_list,
)
from research_crawler.core.settings.provider_settings import (
    Limit,
    ProviderSettings,
    is_http,
)


class WebSettings(SettingsGroup):
    """Search providers, vendors, and what may be fetched from the web."""

    providers: Names = Field(default_factory=list)
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
    search_timeout_seconds: Limit[float] = Field(20.0, gt=0)
    """Longest time for the calls of a search once it has its turn at a provider; the wait for the turn has no limit."""
    web_max_results: Limit[int] = Field(
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
    search_results_per_host: Limit[int] = Field(3, ge=1)
    """Maximum number of results of one host in a fused list."""
    save_directory: str = Field(
        "", validation_alias=AliasChoices("MCP_RESEARCH_SAVE_DIRECTORY", "RESEARCH_SAVE_DIRECTORY")
    )
    """Folder for the reports that a caller asks to save under a name; empty: the job's folder."""
    mcp_max_searches: Limit[int] = Field(
        5,
        ge=1,
        le=50,
        validation_alias=AliasChoices("MCP_RESEARCH_MAX_SEARCHES", "RESEARCH_MCP_MAX_SEARCHES"),
    )
    """Searches of a job that the MCP tool start_deep_research starts, if its caller gives no number."""
    mcp_search_timeout: Limit[float] = Field(
        120.0,
        gt=0,
        le=3_600,
        validation_alias=AliasChoices("MCP_RESEARCH_SEARCH_TIMEOUT", "RESEARCH_MCP_SEARCH_TIMEOUT"),
    )
    """Seconds of work for each search that such a job may make; with the pages that the search leads to."""
    vendors_file: str = Field("", validation_alias=AliasChoices("RESEARCH_VENDORS"))
    """TOML file with your own vendors; `vendors.toml` in RESEARCH_HOME is read too, and in a trusted working
    folder."""

    @field_validator(
        "providers", "web_allowed_hosts", "web_blocked_hosts", "allow_private_hosts", mode="before"
    )
    @classmethod
    def _split_web_lists(cls, value: Any) -> Any:
        return split_list(value)

    @field_validator("provider_prices_usd", "provider_daily_calls", "provider_monthly_calls", mode="before")
    @classmethod
    def _parse_web_mappings(cls, value: Any) -> Any:
        return parsed_mapping(value)

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
