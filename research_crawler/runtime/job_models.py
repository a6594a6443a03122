"""The models of a process: jobs keep those that they were started with, also after others were set."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from research_crawler.core.config import Config, load_core_config
from research_crawler.core.errors import ConfigError, EndpointUnusable
from research_crawler.core.log import get_log
from research_crawler.core.ports.crawler import PageReaders
from research_crawler.runtime.model_endpoint import check_endpoint

_MODEL_SETTINGS = (
    "openai_base_url", "openai_api_key", "mind_model", "reflex_model", "role_models", "model_context_tokens",
)  # fmt: skip

log = get_log(__name__)


class JobModels:
    """The readers and brains of jobs by the models that each was started with (`Config.model_tag`).

    A model is set in one process, and each other one reads it from the user's settings file when a job comes that was
    started with it. A job whose models nobody knows any more gets those that are set now.
    """

    def __init__(self, config: Config, make: Callable[[Config], PageReaders]) -> None:
        """`make` opens what these settings say."""
        self._config, self._make = config, make
        self.now = make(config)
        self._by_tag = {config.model_tag: self.now}
        self._file_seen = _changed_at(config)
        self._reading = asyncio.Lock()

    def use(self, config: Config) -> None:
        """Use these models from now on, also for jobs that were started with the same ones and an older key."""
        self._config = config
        self._file_seen = _changed_at(config)
        if not config.brain:  # the brain of a package decides by itself what it asks
            self.now = self._by_tag[config.model_tag] = self._make(config)

    async def of(self, tag: str) -> PageReaders:
        """What reads the pages of a job with these models, and decides for it."""
        if tag not in self._by_tag and not self._config.brain:
            async with self._reading:
                if tag not in self._by_tag and (changed := await self._changed()):
                    self.use(changed)
        return self._by_tag.get(tag, self.now)

    async def _changed(self) -> Config | None:
        """The settings with the models of the user's file, if it was changed since it was read and names others."""
        if (at := await asyncio.to_thread(_changed_at, self._config)) == self._file_seen:
            return None
        self._file_seen = at
        try:
            read = await asyncio.to_thread(load_core_config, type(self._config), home=self._config.home)
        except ConfigError as error:
            log.warning(f"the models stay as they are: {error}")
            return None
        if read.model_tag == self._config.model_tag:
            return None
        changed = with_models_of(self._config, read)
        try:
            return await check_endpoint(changed)
        except EndpointUnusable as error:
            log.warning(f"the model of new jobs does not answer yet: {error}")
            return changed


def with_models_of(config: Config, other: Config) -> Config:
    """Settings with the models of others."""
    changes: dict[str, Any] = {name: getattr(other, name) for name in _MODEL_SETTINGS}
    return config.changed(**changes)


def _changed_at(config: Config) -> int:
    """When the user's settings file was changed last; 0: there is none."""
    try:
        return Path(config.home, "config.toml").stat().st_mtime_ns
    except OSError:
        return 0
