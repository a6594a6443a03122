"""Depth presets: a job's limits if neither an option nor a setting gives them."""

from dataclasses import dataclass
from typing import TypeVar

from research_crawler.core.config import Config
from research_crawler.core.models.evidence.quality import QualityThresholds
from research_crawler.core.models.jobs.job import Limits
from research_crawler.core.models.jobs.questions import NO_LIMITS, AskedLimits, Depth
from research_crawler.core.models.messages.commands import DAY_S

Amount = TypeVar("Amount", int, float)


@dataclass(frozen=True)
class Preset:
    """The limits of one depth."""

    searches: int
    visits: int
    timeout_s: float
    results: int
    """Results to request from a provider."""
    writing_timeout_s: float
    """A report by sections takes three to five answers of a model in sequence."""
    attempts: int
    """Most rounds of searches whose results are read."""
    is_thorough: bool = False
    """Whether each sub-question is searched for by itself before good evidence ends the research."""


PRESETS: dict[Depth, Preset] = {
    "quick": Preset(searches=2, visits=8, timeout_s=120.0, results=10, writing_timeout_s=180.0, attempts=2),
    "standard": Preset(
        searches=5, visits=15, timeout_s=300.0, results=10, writing_timeout_s=300.0, attempts=3
    ),
    "deep": Preset(
        searches=10,
        visits=40,
        timeout_s=900.0,
        results=20,
        writing_timeout_s=600.0,
        attempts=5,
        is_thorough=True,
    ),
}


_BY_DEPTH = {
    "phase1_max_searches": "searches",
    "phase1_max_visits": "visits",
    "phase1_timeout_seconds": "timeout_s",
    "writing_timeout_seconds": "writing_timeout_s",
    "max_attempts": "attempts",
}
"""The settings that the depth decides where they are not set, and what a preset calls them."""


def defaults_by_depth(setting: str) -> dict[Depth, float]:
    """What a job of each depth has if this setting is not set; empty for settings that the depth does not decide."""
    name = _BY_DEPTH.get(setting)
    return {depth: getattr(preset, name) for depth, preset in PRESETS.items()} if name else {}


def limits_for(config: Config, depth: Depth, asked: AskedLimits = NO_LIMITS) -> Limits:
    """A job's limits: each as its caller asked, else from its setting if that is set, else from the preset.

    `web_max_results` is a minimum, which the depth may raise.
    """
    preset = PRESETS[depth]
    active_s = _chosen(config, "phase1_timeout_seconds", asked.timeout_seconds, preset.timeout_s)
    return Limits(
        max_searches=_chosen(config, "phase1_max_searches", asked.max_searches, preset.searches),
        max_visits=_chosen(config, "phase1_max_visits", asked.max_visits, preset.visits),
        timeout_s=active_s,
        vendors_timeout_s=config.phase2_timeout_seconds or active_s,
        waiting_timeout_s=config.waiting_timeout_seconds,
        memory_max_age_s=config.memory_max_age_days * DAY_S,
        max_iterations=config.phase1_max_iterations,
        writing_timeout_s=_chosen(config, "writing_timeout_seconds", None, preset.writing_timeout_s),
        max_results=max(config.web_max_results, preset.results),
        max_tokens=asked.max_tokens,
        max_usd=asked.max_usd,
        visit_delay_s=config.phase1_visit_delay_seconds,
        page_tokens=config.page_tokens,
        quality=QualityThresholds(
            max_attempts=_chosen(config, "max_attempts", asked.max_attempts, preset.attempts),
            enough_relevance=config.enough_relevance,
            enough_coverage=config.enough_coverage,
            answered_confidence=config.answered_confidence,
            weak_relevance=config.weak_relevance,
            doubtful_confidence=config.doubtful_confidence,
            hopeless_relevance=config.hopeless_relevance,
            is_thorough=preset.is_thorough,
        ),
    )


def _chosen(config: Config, setting: str, option: Amount | None, preset: Amount) -> Amount:
    if option is not None:
        return option
    value: Amount = getattr(config, setting)
    return value if setting in config.model_fields_set else preset
