import pytest

from research_crawler.core.config import Config, setting_names
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.core.settings.depth import PRESETS, limits_for


@pytest.fixture(autouse=True)
def bare_surroundings(monkeypatch, tmp_path):
    for name in (name for names in setting_names().values() for name in names):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("depth", "figures"),
    [("quick", (2, 8, 120, 10)), ("standard", (5, 15, 300, 10)), ("deep", (10, 40, 900, 20))],
)
def test_a_preset_applies_if_no_option_or_setting_is_given(depth, figures):
    limits = limits_for(Config(), depth=depth)
    assert (limits.max_searches, limits.max_visits, limits.timeout_seconds, limits.max_results) == figures


def test_quick_equals_the_defaults_of_the_settings():
    config, quick = Config(), PRESETS["quick"]
    assert (quick.searches, quick.visits, quick.timeout_s) == (
        config.phase1_max_searches,
        config.phase1_max_visits,
        config.phase1_timeout_seconds,
    )


def test_a_setting_wins_over_the_preset_even_at_its_default_value(monkeypatch):
    monkeypatch.setenv("PHASE1_MAX_VISITS", "8")
    monkeypatch.setenv("RESEARCH_WEB_MAX_RESULTS", "30")
    limits = limits_for(Config(phase1_timeout_seconds=90), depth="deep")
    assert (limits.max_searches, limits.max_visits, limits.timeout_seconds, limits.max_results) == (
        10,
        8,
        90,
        30,
    )


def test_an_option_wins_over_a_setting():
    config = Config(phase1_max_searches=4, phase1_max_visits=4, phase1_timeout_seconds=4)
    limits = limits_for(
        config, "quick", Limits(max_searches=0, max_visits=6, timeout_seconds=7.5, max_tokens=900)
    )
    assert (limits.max_searches, limits.max_visits, limits.timeout_seconds, limits.max_tokens) == (
        0,
        6,
        7.5,
        900,
    )


def test_a_deep_job_has_more_time_to_write_than_a_quick_one():
    times = [
        limits_for(Config(), depth=depth).writing_timeout_seconds for depth in ("quick", "standard", "deep")
    ]
    assert times == [180, 300, 600]
    assert limits_for(Config(writing_timeout_seconds=9), depth="deep").writing_timeout_seconds == 9


def test_settings_without_a_preset_are_passed_on():
    config = Config(phase1_max_iterations=3, writing_timeout_seconds=9, page_max_tokens=700)
    limits = limits_for(config, depth="standard")
    assert (limits.max_iterations, limits.writing_timeout_seconds, limits.page_tokens) == (3, 9, 700)
    assert (limits.visit_delay_seconds, limits.max_tokens) == (5, None)
