"""Settings: where data are kept, and for how long."""

from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, field_validator

from research_crawler.core.settings.groups.group import (
    SettingsGroup,
)
from research_crawler.core.settings.provider_settings import SentTo


def default_home() -> Path:
    """The user's data folder if no setting names another."""
    return Path(platformdirs.user_data_dir("research-crawler"))


class StorageSettings(SettingsGroup):
    """Where data are kept, and for how long."""

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
    keep_pages_days: int = Field(90, ge=1, le=36_500)
    """Age in days after which pages lose their raw bytes, and pages that no finding cites are deleted."""
    archive_max_gb: float = Field(10.0, ge=0)
    """Above this size raw bytes of the oldest pages are deleted, then pages that no finding cites; 0: no
    limit."""

    @field_validator("home")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        # Absolute, so that the data folder stays the same when the process changes its working folder.
        return value.expanduser().absolute()
