"""The settings of the whole system: those of the core and those that the search providers declare."""

from typing import Any

from research_crawler.core.config import Config, load_config
from research_crawler.core.setting_table import Declared
from research_crawler.engines.registry import declarations


class SystemConfig(Config):
    """All settings. What a search provider declares of its own is part of it, once `registry.py` lists the provider."""

    @classmethod
    def declared(cls) -> Declared:
        """The settings of all known search providers, those that are off included."""
        return {name: one.settings for name, one in declarations().items()}


def load_system_config(**options: Any) -> SystemConfig:
    """Settings from all sources; `options` come from the command line, None means not given.

    Raises:
        ConfigError: naming the setting as it was written and what is wrong with it.
    """
    return load_config(SystemConfig, **options)
