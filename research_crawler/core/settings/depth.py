"""Depth presets: a job's limits if neither an option nor a setting gives them."""

from dataclasses import dataclass
from typing import TypeVar

from research_crawler.core.config import Config
from research_crawler.core.models.evidence.quality import QualityThresholds
from research_crawler.core.models.jobs.caller_question import Depth
from research_crawler.core.models.jobs.job_limits import NO_LIMITS, Limits

Amount = TypeVar("Amount", int, float)

_DAY_S = 86_400
"""A day, in seconds."""


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


def limits_for(config: Config, depth: Depth, asked: Limits = NO_LIMITS) -> Limits:
    """A job's limits: each as its caller asked, else from its setting if that is set, else from the preset."""
    limits = asked.completed(_usual_limits(config, PRESETS[depth]))
    if config.phase2_timeout_seconds is None:
        return limits.changed(vendors_timeout_seconds=limits.timeout_seconds)
    return limits.changed(vendors_timeout_seconds=config.phase2_timeout_seconds)


def _usual_limits(config: Config, preset: Preset) -> Limits:
    """The limits of a job whose caller sets none. `web_max_results` is a minimum, which the depth may raise."""
    return Limits(
        max_searches=_chosen(config, "phase1_max_searches", preset.searches),
        max_visits=_chosen(config, "phase1_max_visits", preset.visits),
        timeout_seconds=_chosen(config, "phase1_timeout_seconds", preset.timeout_s),
        max_attempts=_chosen(config, "max_attempts", preset.attempts),
        waiting_timeout_seconds=config.waiting_timeout_seconds,
        memory_max_age_seconds=config.memory_max_age_days * _DAY_S,
        max_iterations=config.phase1_max_iterations,
        writing_timeout_seconds=_chosen(config, "writing_timeout_seconds", preset.writing_timeout_s),
        max_results=max(config.web_max_results, preset.results),
        visit_delay_seconds=config.phase1_visit_delay_seconds,
        page_tokens=config.page_tokens,
        quality=QualityThresholds(
            enough_relevance=config.enough_relevance,
            enough_coverage=config.enough_coverage,
            answered_confidence=config.answered_confidence,
            weak_relevance=config.weak_relevance,
            doubtful_confidence=config.doubtful_confidence,
            hopeless_relevance=config.hopeless_relevance,
            is_thorough=preset.is_thorough,
        ),
    )


def _chosen(config: Config, setting: str, preset: Amount) -> Amount:
    value: Amount = getattr(config, setting)
    return value if setting in config.model_fields_set else preset
