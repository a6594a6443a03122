"""Depth presets: a job's limits if neither an option nor a setting gives them."""

from dataclasses import dataclass
from typing import TypeVar

from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.evidence.quality import QualityThresholds
from research_crawler.core.models.jobs.job import Depth, Limits
from research_crawler.core.models.messages.commands import DAY_S

Amount = TypeVar("Amount", int, float)
MOST_SEARCHES, MOST_VISITS, MOST_SECONDS, MOST_ATTEMPTS = 50, 200, 86_400, 20
"""Bounds of what one job may ask for, at every interface: a slip of the keyboard must not become days of traffic."""
HIGHEST_TOKEN_LIMIT, MOST_USD = 10**15, 10**9
"""Bounds of ceilings: Redis' scripts and JSON readers count tokens and millionths of a dollar exactly to 9 * 10**15."""


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


def limits_for(
    config: Config,
    *,
    depth: Depth,
    max_searches: int | None = None,
    max_visits: int | None = None,
    timeout_s: float | None = None,
    max_tokens: int | None = None,
    max_attempts: int | None = None,
    max_usd: float | None = None,
) -> Limits:
    """A job's limits: each from its option, else from its setting if that is set, else from the preset.

    `web_max_results` is a minimum, which the depth may raise.

    Raises:
        UsageError: an option is negative, above its bound, or otherwise impossible.
    """
    _refuse_outside(0, MOST_SEARCHES, max_searches=max_searches)
    _refuse_outside(0, MOST_VISITS, max_visits=max_visits)
    check_tokens(max_tokens)
    _refuse_outside(1, MOST_ATTEMPTS, max_attempts=max_attempts)
    if timeout_s is not None and not 0 < timeout_s <= MOST_SECONDS:
        raise UsageError(
            f"the time limit must be more than 0 and at most {MOST_SECONDS} seconds (got {timeout_s:g})"
        )
    check_usd(max_usd)
    preset = PRESETS[depth]
    active_s = _chosen(config, "phase1_timeout_seconds", timeout_s, preset.timeout_s)
    return Limits(
        max_searches=_chosen(config, "phase1_max_searches", max_searches, preset.searches),
        max_visits=_chosen(config, "phase1_max_visits", max_visits, preset.visits),
        timeout_s=active_s,
        vendors_timeout_s=config.phase2_timeout_seconds or active_s,
        waiting_timeout_s=config.waiting_timeout_seconds,
        memory_max_age_s=config.memory_max_age_days * DAY_S,
        max_iterations=config.phase1_max_iterations,
        writing_timeout_s=_chosen(config, "writing_timeout_seconds", None, preset.writing_timeout_s),
        max_results=max(config.web_max_results, preset.results),
        max_tokens=max_tokens,
        max_usd=max_usd,
        visit_delay_s=config.phase1_visit_delay_seconds,
        page_tokens=config.page_tokens,
        quality=QualityThresholds(
            max_attempts=_chosen(config, "max_attempts", max_attempts, preset.attempts),
            enough_relevance=config.enough_relevance,
            enough_coverage=config.enough_coverage,
            answered_confidence=config.answered_confidence,
            weak_relevance=config.weak_relevance,
            doubtful_confidence=config.doubtful_confidence,
            hopeless_relevance=config.hopeless_relevance,
            is_thorough=preset.is_thorough,
        ),
    )


def check_tokens(max_tokens: int | None) -> None:
    """Check a ceiling of model tokens; None is no ceiling.

    Raises:
        UsageError: it is 0 or less, or too large to be counted.
    """
    _refuse_outside(1, HIGHEST_TOKEN_LIMIT, max_tokens=max_tokens)


def check_usd(max_usd: float | None) -> None:
    """Check a ceiling in money; None is no ceiling.

    Raises:
        UsageError: it is 0 or less, too large to be counted, or no number: nothing would ever be above it.
    """
    if max_usd is not None and not 0 < max_usd <= MOST_USD:
        raise UsageError(f"max_usd must be more than 0 and at most {MOST_USD:,} (got {max_usd:g})")


def _chosen(config: Config, setting: str, option: Amount | None, preset: Amount) -> Amount:
    if option is not None:
        return option
    value: Amount = getattr(config, setting)
    return value if setting in config.model_fields_set else preset


def _refuse_outside(least: int, most: int, **options: int | None) -> None:
    for name, value in options.items():
        if value is not None and value < least:
            raise UsageError(f"{name} must be at least {least} (got {value})")
        if value is not None and value > most:
            raise UsageError(f"{name} must be at most {most} (got {value})")
