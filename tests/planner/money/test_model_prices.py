"""Prices of models: the longest name that fits, the user's own first, and nothing for an endpoint at home."""

import pytest

from planner.brains.model.model_brain_settings import ModelSettings, unpriced_models
from planner.money.model_prices import is_free, model_prices
from research_crawler.core.config import Config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.models.jobs.job_limits import Limits
from research_crawler.services.submission.new_jobs import JobRequest
from tests.cases import each_case

URL = "https://api.example.com/v1"


def test_dated_versions_have_the_price_of_their_name_and_others_none():
    prices = model_prices({})
    assert (
        prices.price_of("gpt-4o-mini-2024-07-18")
        == prices.price_of("gpt-4o-mini")
        != prices.price_of("gpt-4o")
    )
    assert prices.price_of("openai/gpt-4o") == prices.price_of("gpt-4o")
    assert prices.price_of("my-model") is None
    assert prices.date


@each_case("name", ["o3-pro", "gpt-5-pro-2025-10-06", "gpt-4o-audio-preview", "gpt-5000"])
def test_a_dearer_model_whose_name_begins_with_another_one_has_not_its_price(name):
    assert model_prices({}).price_of(name) is None


@pytest.mark.parametrize(
    "name", ["mistral-small-latest", "deepseek-chat:free", "gemini-2.5-flash-preview-05-20"]
)
def test_versions_of_all_makers_have_the_price_of_their_model(name):
    assert model_prices({}).price_of(name)


def test_what_was_cached_never_costs_more_than_the_rest():
    assert all(price[-1] < price[0] for price in model_prices({}).models.values() if len(price) > 2)


def test_the_settings_add_prices_and_a_call_costs_by_them(tmp_path):
    config = Config(
        home=tmp_path, mind_model="my-model", openai_base_url=URL, model_prices_usd={"my-model": (1.0, 2.0)}
    )
    assert ModelSettings.from_config(config).usd("planner", 1_000_000, 500_000) == 2.0
    assert unpriced_models(config) == []


def test_what_was_cached_has_a_price_of_its_own_where_one_is_known(tmp_path):
    told = {"cheap-again": (1.0, 2.0, 0.1), "plain": (1.0, 2.0)}
    prices = model_prices(told)
    assert prices.price_of("cheap-again").usd(1_000_000, 0, 600_000) == pytest.approx(0.46)
    assert prices.price_of("plain").usd(1_000_000, 0, 600_000) == 1.0
    config = Config(home=tmp_path, mind_model="cheap-again", openai_base_url=URL, model_prices_usd=told)
    assert ModelSettings.from_config(config).usd("planner", 1_000_000, 0, 600_000) == pytest.approx(0.46)


@each_case(
    ("url", "free"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://192.168.1.7/v1", True),
        ("http://localhost:1", True),
        (URL, False),
        ("", False),
    ],
)
def test_an_endpoint_in_the_own_network_is_free(url, free):
    assert is_free(url) == free


def test_a_ceiling_of_money_is_refused_where_the_price_is_not_known(tmp_path):
    config = Config(home=tmp_path, mind_model="my-model", openai_base_url=URL)
    request = JobRequest(inputs=JobInputs(goal="why is grass green"), limits=Limits(max_usd=1.0))
    with pytest.raises(UsageError, match="RESEARCH_MODEL_PRICES_USD"):
        request.check(config)
    request.check(config.changed(openai_base_url="http://127.0.0.1:1/v1"))
