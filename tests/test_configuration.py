"""The core's settings and those of the search providers are one set of settings."""

import pytest
from pydantic import SecretStr

from research_crawler.configuration import SystemConfig, load_system_config
from research_crawler.core.config import Config, load_core_config, setting_names
from research_crawler.core.errors import ConfigError
from research_crawler.core.settings.origins import describe, setting_docs
from research_crawler.core.settings.provider_settings import Needed, ProviderSettings
from research_crawler.engines.providers.brave import BraveSettings
from research_crawler.engines.registry import providers_from

NAMES = {
    "searxng_url": ("SEARXNG_URL", "RESEARCH_SEARXNG_URL"),
    "duckduckgo_base_url": ("DUCKDUCKGO_BASE_URL", "RESEARCH_DUCKDUCKGO_BASE_URL"),
    "wikipedia_base_url": ("WIKIPEDIA_BASE_URL", "RESEARCH_WIKIPEDIA_BASE_URL"),
    "brave_api_key": ("BRAVE_API_KEY", "RESEARCH_BRAVE_API_KEY"),
    "brave_base_url": ("BRAVE_BASE_URL", "RESEARCH_BRAVE_BASE_URL"),
    "tavily_api_key": ("TAVILY_API_KEY", "RESEARCH_TAVILY_API_KEY"),
    "tavily_base_url": ("TAVILY_BASE_URL", "RESEARCH_TAVILY_BASE_URL"),
    "google_api_key": ("GOOGLE_API_KEY", "RESEARCH_GOOGLE_API_KEY"),
    "google_cse_id": ("GOOGLE_CSE_ID", "RESEARCH_GOOGLE_CSE_ID"),
    "google_cse_base_url": ("GOOGLE_CSE_BASE_URL", "RESEARCH_GOOGLE_CSE_BASE_URL"),
    "bing_api_key": ("BING_API_KEY", "RESEARCH_BING_API_KEY"),
    "bing_base_url": ("BING_BASE_URL", "RESEARCH_BING_BASE_URL"),
    "typed_engine_url": ("RESEARCH_TYPED_ENGINE_URL",),
}


class HomeSettings(ProviderSettings):
    """Settings of a provider that is called `research`, which no provider should be."""

    home: Needed[SecretStr] = SecretStr("")
    """Its key."""


@pytest.fixture(autouse=True)
def bare_surroundings(monkeypatch, tmp_path):
    for name in (name for names in setting_names(SystemConfig).values() for name in names):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path / "home"))


def test_the_providers_settings_have_the_names_that_the_services_use():
    declared = {name: one.environment for name, one in SystemConfig.settings().items() if one.provider}
    assert {name: declared.get(name) for name in NAMES} == NAMES


def test_every_setting_has_names_of_its_own_and_one_line_that_says_what_it_is_for():
    names = [name for known in setting_names(SystemConfig).values() for name in known]
    assert len(names) == len(set(names))
    docs = setting_docs(SystemConfig)
    assert list(docs) == [name for name, _, _ in describe(load_system_config())]
    assert all(line and "\n" not in line for line in docs.values())


def test_a_key_of_a_provider_is_secret():
    keys = [one for one in SystemConfig.settings().values() if one.name.endswith("_key")]
    assert all(one.secret for one in keys)
    assert {one.provider for one in keys} >= {"", "brave", "tavily", "google", "bing"}


def test_a_typing_error_in_an_address_is_one_line(monkeypatch):
    monkeypatch.setenv("SEARXNG_URL", "localhost:8888")
    with pytest.raises(ConfigError) as raised:
        load_system_config()
    assert str(raised.value) == (
        "SEARXNG_URL: must be an http(s) URL such as http://localhost:8080 (got 'localhost:8888')"
    )
    monkeypatch.setenv("SEARXNG_URL", "http://localhost:8888")
    monkeypatch.setenv("RESEARCH_TYPED_ENGINE_URL", "mojeek")
    with pytest.raises(ConfigError, match=r"^RESEARCH_TYPED_ENGINE_URL: must be an http\(s\) URL"):
        load_system_config()


def test_two_names_of_one_setting_of_a_provider_that_differ_are_an_error(monkeypatch):
    monkeypatch.setenv("SEARXNG_URL", "http://one")
    monkeypatch.setenv("RESEARCH_SEARXNG_URL", "http://two")
    with pytest.raises(ConfigError, match="SEARXNG_URL and RESEARCH_SEARXNG_URL name the same setting"):
        load_system_config()


def test_a_provider_reads_its_own_settings_by_their_type():
    config = load_system_config(brave_api_key="k", brave_base_url="http://h:1")
    own = config.settings_of(BraveSettings)
    assert (own.api_key.get_secret_value(), own.base_url) == ("k", "http://h:1")
    assert load_system_config().settings_of(BraveSettings).missing() == ("api_key",)


def test_settings_without_the_providers_refuse_to_switch_providers_on():
    with pytest.raises(ConfigError, match=r"load_system_config"):
        providers_from(load_core_config())


def test_a_setting_that_has_the_name_of_another_is_a_mistake_that_names_both():
    class Clashing(Config):
        @classmethod
        def declared(cls):
            return {"research": HomeSettings}

    with pytest.raises(ValueError, match="the settings home and home share the name HOME"):
        Clashing.settings()
