"""Jobs keep the models that they were started with, also after others were set."""

from dataclasses import dataclass

import pytest

from research_crawler.adapters.user_settings import remember
from research_crawler.core.config import Config, load_core_config
from research_crawler.core.ports.crawler import PageReaders
from research_crawler.runtime.job_models import JobModels

NONE = ""
FIRST = {"openai_base_url": "http://127.0.0.1:9/v1", "mind_model": "first"}
SECOND = {"openai_base_url": "http://127.0.0.1:9/v1", "mind_model": "second"}


@dataclass
class Named:
    """Stands for a brain: it has the model of its settings."""

    name: str
    key: str


@pytest.fixture
def config(tmp_path, monkeypatch) -> Config:
    monkeypatch.chdir(tmp_path)
    return load_core_config(home=tmp_path)


def opened(config: Config) -> JobModels:
    def make(given: Config) -> PageReaders:
        return PageReaders(brain=Named(given.mind_model, given.openai_api_key.get_secret_value()))

    return JobModels(config, make)


def named(config: Config, **models: str) -> Config:
    return load_core_config(home=config.home, **models)


async def test_a_job_under_way_keeps_its_models_and_a_new_one_gets_those_that_are_set(config):
    first, second = named(config, **FIRST), named(config, **SECOND)
    models = opened(config)
    models.use(first)
    models.use(second)
    asked = [NONE, first.model_tag, second.model_tag]
    assert [(await models.of(tag)).brain.name for tag in asked] == ["", "first", "second"]


async def test_a_job_whose_models_nobody_knows_gets_those_that_are_set_now(config):
    models = opened(named(config, **FIRST))
    assert (await models.of(named(config, **SECOND).model_tag)).brain.name == "first"
    assert (await models.of(NONE)).brain.name == "first"


async def test_a_new_key_of_the_same_models_is_used_by_jobs_under_way_too(config):
    first = named(config, **FIRST, openai_api_key="old")
    models = opened(first)
    models.use(named(config, **FIRST, openai_api_key="new"))
    assert (await models.of(first.model_tag)).brain.key == "new"


async def test_models_that_another_process_was_given_are_read_from_the_users_file_when_a_job_needs_them(
    config,
):
    models = opened(config)
    remember(config.home, {"OPENAI_BASE_URL": SECOND["openai_base_url"], "MIND_MODEL": "second"})
    assert (await models.of(NONE)).brain.name == "", "a job without a model needs none"
    assert (await models.of(named(config, **SECOND).model_tag)).brain.name == "second"
    assert (await models.of(NONE)).brain.name == "", "a job that began without a model goes on without one"


async def test_a_settings_file_that_cannot_be_read_changes_no_model(config):
    models = opened(named(config, **FIRST))
    (config.home / "config.toml").write_text("MIND_MODEL = ")
    assert (await models.of("unknown")).brain.name == "first"


def test_the_tag_of_models_tells_neither_their_address_nor_their_key(config):
    tag = named(config, **FIRST, openai_api_key="secret-of-mine").model_tag
    assert tag and tag == named(config, **FIRST, openai_api_key="another").model_tag
    assert tag != named(config, **SECOND).model_tag
    assert config.model_tag == NONE
