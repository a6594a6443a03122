"""A secret can be handed over in a file, so that it stands in no environment and no list of processes."""

import pytest

from research_crawler.core.config import Config, load_core_config
from research_crawler.core.errors import ConfigError
from research_crawler.core.settings.origins import describe, unknown_environment
from tests.core.test_config import bare_surroundings

__all__ = ["bare_surroundings"]


def test_a_setting_is_read_from_the_file_that_the_environment_names(monkeypatch, tmp_path):
    (tmp_path / "key").write_text("sk-from-a-file\n")
    monkeypatch.setenv("OPENAI_API_KEY_FILE", str(tmp_path / "key"))
    config = load_core_config()
    assert config.openai_api_key.get_secret_value() == "sk-from-a-file"
    shown = {name: (value, origin) for name, value, origin in describe(config)}
    assert shown["OPENAI_API_KEY"] == ("***", "environment OPENAI_API_KEY_FILE")
    assert "OPENAI_API_KEY_FILE" not in unknown_environment(Config)


def test_a_file_and_a_value_that_differ_are_an_error_that_names_both(monkeypatch, tmp_path):
    (tmp_path / "url").write_text("redis://a.example/0")
    monkeypatch.setenv("REDIS_URL_FILE", str(tmp_path / "url"))
    monkeypatch.setenv("REDIS_URL", "redis://b.example/0")
    with pytest.raises(ConfigError, match="REDIS_URL and REDIS_URL_FILE name the same setting"):
        load_core_config()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"\xff\xfe\x00", "not text"),
        (b"x" * 70_000, "too large"),
    ],
)
def test_a_file_that_holds_no_setting_is_named(monkeypatch, tmp_path, content, words):
    path = tmp_path / "redis"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setenv("RESEARCH_REDIS_URL_FILE", str(path))
    with pytest.raises(ConfigError, match=f"RESEARCH_REDIS_URL_FILE: .*redis.*{words}"):
        load_core_config()


def test_an_empty_file_counts_as_not_given(monkeypatch, tmp_path):
    (tmp_path / "key").write_text("\n")
    monkeypatch.setenv("OPENAI_API_KEY_FILE", str(tmp_path / "key"))
    assert not load_core_config().openai_api_key.get_secret_value()
