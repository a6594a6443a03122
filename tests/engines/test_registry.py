from functools import partial

import pytest

from research_crawler.adapters.in_memory.memory_provider_health import MemoryHealth
from research_crawler.configuration import SystemConfig, load_system_config
from research_crawler.core.config import setting_names
from research_crawler.core.errors import ConfigError
from research_crawler.engines.health_rules import Allowance, admit, failed, succeeded
from research_crawler.engines.registry import (
    account_of,
    declarations,
    provider_statuses,
    providers_from,
    switched_off,
)

KEYS = {
    "brave_api_key": "b-key",
    "tavily_api_key": "t-key",
    "google_api_key": "g-key",
    "bing_api_key": "m-key",
}


@pytest.fixture(autouse=True)
def bare_surroundings(monkeypatch, tmp_path):
    for name in (name for names in setting_names(SystemConfig).values() for name in names):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))


def names(**options):
    return [provider.name for provider in providers_from(SystemConfig(**options))]


def test_the_keyless_providers_are_on_by_default():
    assert names() == ["duckduckgo", "wikipedia"]


def test_a_searxng_address_puts_the_instance_first():
    assert names(searxng_url="http://localhost:8888") == ["searxng", "duckduckgo", "wikipedia"]


def test_the_order_is_the_configured_one_and_names_count_once():
    assert names(providers=["Wikipedia", "duckduckgo", "wikipedia"]) == ["wikipedia", "duckduckgo"]


def test_only_named_providers_are_on():
    assert names(providers=["searxng"], searxng_url="http://localhost:8888") == ["searxng"]


def test_a_provider_without_its_address_is_off_and_says_what_it_needs():
    config = SystemConfig(providers=["searxng", "wikipedia"])
    assert [provider.name for provider in providers_from(config)] == ["wikipedia"]
    assert switched_off(config) == [("searxng", "SEARXNG_URL")]
    on = SystemConfig(providers=["searxng"], searxng_url="http://localhost:8888")
    assert switched_off(on) == []


def test_an_unknown_name_is_an_error_that_lists_the_known_ones():
    with pytest.raises(ConfigError, match=r"no provider 'altavista'; known: searxng, duckduckgo, wikipedia"):
        names(providers=["altavista"])


@pytest.mark.parametrize("setting", ["provider_prices_usd", "provider_daily_calls", "provider_monthly_calls"])
def test_a_ceiling_or_a_price_of_a_provider_that_does_not_exist_is_an_error(setting):
    with pytest.raises(
        ConfigError, match=rf"^RESEARCH_{setting.upper()}: there is no provider 'gogle'; known: "
    ):
        names(**{setting: {"gogle": 1}})


def test_base_urls_reach_the_providers():
    config = SystemConfig(
        searxng_url="http://127.0.0.1:1",
        duckduckgo_base_url="http://127.0.0.1:2",
        wikipedia_base_url="http://127.0.0.1:3",
    )
    searxng, duckduckgo, wikipedia = providers_from(config)
    assert searxng.base_url.endswith(":1") and duckduckgo.html_url.endswith(":2/html/")
    assert wikipedia.base_url.endswith(":3")


def test_a_key_switches_on_a_paid_provider_after_the_free_ones_unless_its_service_is_ending():
    assert names(**KEYS, google_cse_id="cx") == ["duckduckgo", "wikipedia", "brave", "tavily"]


def test_ended_services_and_the_browser_typed_engine_are_on_only_when_named():
    named = ["google", "bing", "browser"]
    assert names(providers=named, **KEYS, google_cse_id="cx") == named


def test_google_is_off_without_both_key_and_engine():
    assert names(providers=["google"], google_api_key="k") == []
    assert switched_off(SystemConfig(providers=["google"])) == [("google", "GOOGLE_API_KEY, GOOGLE_CSE_ID")]
    assert switched_off(SystemConfig(providers=["google"], google_api_key="k")) == [
        ("google", "GOOGLE_CSE_ID")
    ]
    assert names(providers=["google", "brave"], google_api_key=" ", brave_api_key=" ") == []


def test_addresses_of_the_keyed_services_are_settings():
    config = SystemConfig(
        **KEYS, google_cse_id="cx", providers=["brave", "tavily", "google", "bing", "browser"],
        brave_base_url="http://h:1/", tavily_base_url="http://h:2/search", bing_base_url="http://h:4/v7.0/",
        google_cse_base_url="http://h:3/customsearch/v1", typed_engine_url="http://h:5/",
    )  # fmt: skip
    *keyed, typed = providers_from(config)
    assert [one.base_url for one in keyed] == [f"http://h:{n}" for n in (1, 2, 3, 4)]
    assert typed.home_url == "http://h:5/"


def test_another_key_or_address_is_another_account_whose_name_does_not_hold_it():
    first = account_of("brave", SystemConfig(brave_api_key="one"))
    assert first == account_of("brave", SystemConfig(brave_api_key="one"))
    assert first.name != account_of("brave", SystemConfig(brave_api_key="two")).name
    assert (
        first.name != account_of("brave", SystemConfig(brave_api_key="one", brave_base_url="http://h:1")).name
    )
    assert first.name.startswith("brave:") and "one" not in first.name


def test_prices_and_ceilings_come_from_the_settings_over_the_list():
    config = SystemConfig(
        brave_api_key="k",
        provider_prices_usd={"Brave": 0.003},
        provider_daily_calls={"brave": 50},
        provider_monthly_calls='{"brave": 1000}',
    )
    assert account_of("brave", config).allowance == Allowance(0.003, 50, 1000)
    assert account_of("brave", SystemConfig(brave_api_key="k")).allowance == Allowance(0.005)
    with pytest.raises(ConfigError, match="must not be negative"):
        load_system_config(provider_daily_calls={"brave": -1})


async def test_doctor_shows_the_rest_of_a_quota_and_the_speed_of_answers():
    book = MemoryHealth(clock=lambda: 1_795_132_800_000)
    config = SystemConfig(
        brave_api_key="k", provider_daily_calls={"brave": 50}, provider_monthly_calls={"brave": 1000}
    )
    account = account_of("brave", config)
    for _ in range(6):
        await book.change(account.name, partial(admit, allowance=account.allowance))
        await book.change(account.name, lambda health, at: (succeeded(health, at, latency_ms=900), None))
    [brave] = [one for one in await provider_statuses(config, book) if one.name == "brave"]
    assert brave.line == (
        "on; 6 of 50 calls today; 6 of 1000 this month; answers within 0.9 s; 0.03 USD this month; 0.005 USD a call"
    )


async def test_doctor_shows_the_state_of_every_provider():
    now = 1_795_132_800_000
    book, config = MemoryHealth(clock=lambda: now), SystemConfig(brave_api_key="k", bing_api_key="m")
    await book.change(
        account_of("brave", config).name,
        lambda health, at: (
            failed(health, at, trouble="key", why="http 401: the key is refused").model_copy(
                update={"month": "2026-11", "month_calls": 7, "month_usd": 0.035}
            ),
            None,
        ),
    )
    lines = {one.name: one.line for one in await provider_statuses(config, book)}
    assert list(lines) == list(declarations())
    assert lines["searxng"] == "off: set SEARXNG_URL" and lines["duckduckgo"] == "on"
    assert lines["brave"] == (
        "resting for 300 s after: http 401: the key is refused; 7 this month; 0.04 USD this month; 0.005 USD a call"
    )
    assert lines["google"].startswith("off: set GOOGLE_API_KEY, GOOGLE_CSE_ID; closed to new customers")
    assert lines["bing"].startswith("off: name it in RESEARCH_PROVIDERS (bing); Microsoft ended")
