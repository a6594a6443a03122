import pytest

from research_crawler.configuration import SystemConfig
from research_crawler.core.config import Config, load_core_config, setting_names
from research_crawler.core.settings.origins import (
    describe,
    setting_docs,
    unknown_environment,
    unknown_notes,
)


@pytest.fixture(autouse=True)
def bare_surroundings(monkeypatch, tmp_path):
    for name in (name for names in setting_names().values() for name in names):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path / "home"))


def rows(**options):
    return {name: (value, origin) for name, value, origin in describe(load_core_config(**options))}


def test_every_setting_is_shown_with_its_origin(monkeypatch, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text("contact = 'me@example.org'")
    (tmp_path / "research.toml").write_text("[web]\nmaxResults = 4\n")
    (tmp_path / ".env").write_text("PHASE2_VENDORS=2\n")
    monkeypatch.setenv("RESEARCH_OPENAI_BASE_URL", "http://localhost:8888")
    shown = rows(phase1_max_visits=8)
    assert shown["PHASE1_MAX_VISITS"] == ("8", "option")
    assert shown["OPENAI_BASE_URL"] == ("http://localhost:8888", "environment RESEARCH_OPENAI_BASE_URL")
    assert shown["PHASE2_VENDORS"] == ("2", ".env")
    assert shown["RESEARCH_WEB_MAX_RESULTS"] == ("4", "research.toml")
    assert shown["RESEARCH_CONTACT"] == ("me@example.org", "config.toml")
    assert shown["PHASE1_MAX_SEARCHES"] == ("2", "default; by depth: quick 2, standard 5, deep 10")
    assert shown["BROWSER_HEADLESS"] == ("true", "default")
    assert shown["RESEARCH_BLOCKED_HOSTS"] == ("localhost, 127.0.0.1, 0.0.0.0", "default")
    assert len(shown) == len(setting_names())


def test_secrets_and_passwords_are_masked():
    shown = rows(
        openai_api_key="sk-hush",
        redis_url="rediss://user:h@u:sh@host:6379/0",
        database_url="postgresql+asyncpg://me:hush@db/research",
        role_models={"report": "big"},
    )
    assert shown["OPENAI_API_KEY"] == ("***", "option")
    assert shown["RESEARCH_QDRANT_API_KEY"] == ("", "default")
    assert shown["RESEARCH_REDIS_URL"][0] == "rediss://user:***@host:6379/0"
    assert shown["RESEARCH_DATABASE_URL"][0] == "postgresql+asyncpg://me:***@db/research"
    assert shown["RESEARCH_ROLE_MODELS"][0] == "report=big"
    assert "hush" not in str(shown)


def test_every_setting_has_one_line_about_its_purpose():
    docs = setting_docs(Config)
    assert list(docs) == [name for name, _, _ in describe(load_core_config())]
    assert all(line and "\n" not in line for line in docs.values())


def test_unknown_names_in_the_environment_are_reported(monkeypatch):
    before = set(unknown_environment(Config))
    monkeypatch.setenv("RESEARCH_PROVIDER", "x")
    monkeypatch.setenv("PHASE1_MAX_VISTS", "3")
    monkeypatch.setenv("RESEARCH_FAILPOINT", "after-lease:1")
    monkeypatch.setenv("RESEARCH_LOG_LEVEL", "INFO")
    assert set(unknown_environment(Config)) - before == {"PHASE1_MAX_VISTS", "RESEARCH_PROVIDER"}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SEARXNG_ULR", "SEARXNG_URL"),
        ("SERXNG_URL", "SEARXNG_URL"),
        ("OPENAI_BASEURL", "OPENAI_BASE_URL"),
        ("OPENAI_API_KEYS", "OPENAI_API_KEY"),
        ("MIND_MODLE", "MIND_MODEL"),
        ("OPENAI_ORGANIZATION", ""),
        ("OPENAI_API_BASE", ""),
        ("REDIS_TLS_CERT", ""),
        ("GOOGLE_CLOUD_PROJECT", ""),
        ("PING_API_KEY", ""),
    ],
)
def test_a_misspelt_name_of_a_provider_is_told_and_those_of_other_programs_are_not(monkeypatch, name, meant):
    monkeypatch.setenv(name, "x")
    told = [line for line in unknown_notes(SystemConfig) if line.startswith(f"{name} ")]
    assert told == (
        [f"{name} is no setting of research and changes nothing here; did you mean {meant}?"] if meant else []
    )


def test_a_name_that_is_no_setting_is_told_with_the_nearest_one(monkeypatch):
    monkeypatch.setenv("PHASE1_MAX_VISTS", "3")
    told = [line for line in unknown_notes(Config) if line.startswith("PHASE1_MAX_VISTS")]
    assert told == ["PHASE1_MAX_VISTS is no setting and changes nothing; did you mean PHASE1_MAX_VISITS?"]
