"""All settings: those of the core, and those that the search providers declare."""

from typing import Any

from research_crawler.core.config import Config, load_config
from research_crawler.core.settings.table import Declared
from research_crawler.engines.registry import declarations


class SystemConfig(Config):
    """All settings, including those of every search provider that `engines/registry.py` lists."""

    @classmethod
    def declared(cls) -> Declared:
        """The settings of all search providers, also of those that are switched off."""
        return {name: declaration.settings for name, declaration in declarations().items()}


def load_system_config(**options: Any) -> SystemConfig:
    """Read the settings from all sources.

    Args:
        options: the options of the command line; None means that an option is not given. Their names are those of
            the settings, also of providers that other packages bring, so no type can list them; a name that is no
            setting is refused.

    Raises:
        ConfigError: the message names the setting as the user wrote it, and what is wrong with it.
    """
    return load_config(SystemConfig, **options)
