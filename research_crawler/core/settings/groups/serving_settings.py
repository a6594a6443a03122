"""Settings: watches, alerts and the server."""

from typing import Any

from pydantic import Field, SecretStr, field_validator

from research_crawler.core.settings.groups.group import (
    Names,
    SettingsGroup,
    split_list,
)


class ServingSettings(SettingsGroup):
    """Watches, alerts and the server."""

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

    @field_validator("serve_hosts", mode="before")
    @classmethod
    def _split_serving_lists(cls, value: Any) -> Any:
        return split_list(value)
