"""All settings: those of the core, and those that the search providers declare."""

from typing import Unpack

from research_crawler.core.config import Config, SettingOptions, read_config
from research_crawler.core.settings.table import Declared
from research_crawler.engines.registry import declarations


class SystemConfig(Config):
    """All settings, including those of every search provider that `engines/registry.py` lists."""

    @classmethod
    def declared(cls) -> Declared:
        """The settings of all search providers, also of those that are switched off."""
        return {name: declaration.settings for name, declaration in declarations().items()}


class SystemOptions(SettingOptions, total=False):
    """Settings that a program sets before it starts, also of a search provider."""

    searxng_url: str | None


def load_system_config(**options: Unpack[SystemOptions]) -> SystemConfig:
    """Read the settings from all sources.

    Args:
        options: what the program itself decides; None means that it does not. `SystemOptions` lists the settings of
            which our commands and examples do; any other is taken too, and a name that is no setting is refused.

    Raises:
        ConfigError: the message names the setting as the user wrote it, and what is wrong with it.
    """
    return read_config(SystemConfig, options)
