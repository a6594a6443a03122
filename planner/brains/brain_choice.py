"""The brain that decides: the one that a setting names, of an installed package."""

from collections.abc import Callable
from dataclasses import dataclass

from planner.brains.extractive.extract import Picker
from planner.brains.extractive.extractive_brain import ExtractiveBrain
from research_crawler.core.config import Config
from research_crawler.core.errors import ConfigError
from research_crawler.core.extension_points import ExtensionPoint, declared_at, extension
from research_crawler.core.ports.models import Brain, Embedder


@dataclass(frozen=True, kw_only=True)
class BrainParts:
    """What a brain can be made of."""

    config: Config
    embedder: Embedder
    pick: Picker
    """Picks excerpts of a page; a crawler's does it in the processes that read pages."""
    extractive: ExtractiveBrain
    """The brain without a model, which is also asked where the installed one fails."""


@dataclass(frozen=True)
class BrainMaker:
    """What a package declares: it makes the brain when a process starts that plans or crawls."""

    make: Callable[[BrainParts], Brain]


def installed_brain(parts: BrainParts) -> Brain:
    """The brain that RESEARCH_BRAIN names.

    Raises:
        ConfigError: no package declares it, or it cannot be imported.
    """
    name, known = parts.config.brain, declared_at(ExtensionPoint.BRAINS)
    if name not in known:
        names = ", ".join(known) or "none; install the package that has it"
        raise ConfigError(f"RESEARCH_BRAIN: there is no brain {name!r}; installed: {names}")
    return extension(ExtensionPoint.BRAINS, name, BrainMaker).make(parts)
