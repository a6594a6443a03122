import os
from pathlib import Path

import pytest

from planner.brains.model.model_brain_settings import ANSWER_TOKENS
from research_crawler.core.config import (
    Config,
    environment_names,
    load_core_config,
    setting_names,
)
from research_crawler.core.errors import ConfigError
from research_crawler.core.roles import ROLES
from research_crawler.core.settings.origins import field_docs
from tests.cases import each_case


@pytest.fixture(autouse=True)
def bare_surroundings(monkeypatch, tmp_path):
    """An empty working folder, an empty home, and no setting in the environment."""
    for name in {name for names in setting_names().values() for name in names} & set(os.environ):
        monkeypatch.delenv(name)
    for folder in ("work", "home"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_: str(tmp_path / "home"))


@pytest.fixture
def trusted(monkeypatch):
    """The user trusts the working folder."""
    monkeypatch.setenv("RESEARCH_TRUST_FOLDER", "1")


def write(path, text):
    Path(path).write_text(text, encoding="utf-8")


def test_defaults_are_those_of_the_sources():
    config = load_core_config()
    assert (config.phase1_max_searches, config.phase1_max_visits) == (2, 8)
    assert (config.phase1_timeout_seconds, config.phase1_visit_delay_seconds) == (120, 5)
    assert (config.playwright_timeout_ms, config.browser_headless) == (30_000, True)
    assert (config.mind_model, config.reflex_model) == ("", "")
    assert (config.mind_temperature, config.reflex_temperature) == (0.5, 0.3)
    assert config.page_max_tokens == 4000
    assert (config.web_allowed_hosts, config.web_max_results) == ([], 5)
    assert config.web_blocked_hosts == ["localhost", "127.0.0.1", "0.0.0.0"]
    assert config.origins == {}


def test_a_setting_is_read_by_the_name_that_it_had_in_former_releases(monkeypatch, tmp_path):
    write(tmp_path / "home" / "config.toml", "sanitize_max_tokens = 900")
    assert load_core_config().page_max_tokens == 900
    monkeypatch.setenv("SANITIZE_MAX_TOKENS", "800")
    assert load_core_config().page_max_tokens == 800
    assert load_core_config(sanitize_max_tokens=700).page_max_tokens == 700


def test_each_source_wins_over_those_after_it(monkeypatch, tmp_path):
    write(tmp_path / "home" / "config.toml", "phase1_max_visits = 11")
    assert load_core_config().phase1_max_visits == 11
    write("research.toml", "phase1_max_visits = 10")
    assert load_core_config().phase1_max_visits == 10
    write(".env", "PHASE1_MAX_VISITS=9\n")
    assert load_core_config().phase1_max_visits == 9
    monkeypatch.setenv("RESEARCH_PHASE1_MAX_VISITS", "14")
    assert load_core_config().phase1_max_visits == 14
    assert load_core_config(phase1_max_visits=15).phase1_max_visits == 15


def test_the_spelling_of_a_name_does_not_change_which_source_wins(monkeypatch):
    write("research.toml", "PHASE1_MAX_VISITS = 6")
    write(".env", "RESEARCH_PHASE1_MAX_VISITS=7\n")
    assert load_core_config().phase1_max_visits == 7
    monkeypatch.setenv("PHASE1_MAX_VISITS", "14")
    assert load_core_config().phase1_max_visits == 14


@pytest.mark.usefixtures("trusted")
def test_sources_are_merged_setting_by_setting(monkeypatch, tmp_path):
    write(tmp_path / "home" / "config.toml", "contact = 'me@example.org'\nmind_model = 'a'")
    write(".env", 'MIND_MODEL="b"\nOPENAI_API_KEY=sk-1 # comment\n')
    config = load_core_config(reflex_model="c")
    assert (config.contact, config.mind_model, config.reflex_model) == ("me@example.org", "b", "c")
    assert config.openai_api_key.get_secret_value() == "sk-1"
    assert config.origins == {
        "contact": "config.toml",
        "mind_model": ".env",
        "openai_api_key": ".env",
        "reflex_model": "option",
        "trust_folder": "environment RESEARCH_TRUST_FOLDER",
    }


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("how", ["option", "environment", "dotenv"])
def test_config_toml_is_read_from_the_configured_home(how, monkeypatch, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    write(other / "config.toml", "phase1_max_visits = 21")
    if how == "environment":
        monkeypatch.setenv("RESEARCH_HOME", str(other))
    if how == "dotenv":
        write(".env", f"RESEARCH_HOME={other}\n")
    config = load_core_config(home=other if how == "option" else None)
    assert (config.home, config.phase1_max_visits) == (other, 21)


def test_home_is_absolute_and_may_use_a_tilde(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_core_config(home="~/data").home == tmp_path / "data"
    assert load_core_config(home="data").home == tmp_path / "work" / "data"


def test_an_option_of_none_and_an_empty_value_are_not_given(monkeypatch):
    monkeypatch.setenv("PHASE1_MAX_SEARCHES", "")
    write(".env", "PHASE1_MAX_VISITS=\n")
    config = load_core_config(phase1_timeout_seconds=None)
    assert config.model_fields_set <= {"origins"}


@pytest.mark.usefixtures("trusted")
def test_the_web_block_of_a_toml_file(tmp_path):
    write("research.toml", '[web]\nallowedHosts = ["example.org"]\nblockedHosts = []\nmaxResults = 9\n')
    config = load_core_config()
    assert (config.web_allowed_hosts, config.web_blocked_hosts) == (["example.org"], [])
    assert config.web_max_results == 9


@pytest.mark.parametrize("text", ["a, b c", "a,b,c", '["a", "b", "c"]'])
def test_lists_are_words_or_json(text, monkeypatch):
    monkeypatch.setenv("RESEARCH_PROVIDERS", text)
    assert load_core_config().providers == ["a", "b", "c"]


def test_the_settings_name_every_role_and_the_model_brain_has_an_answer_length_for_each():
    told = field_docs(Config)["role_models"]
    assert told.split("Roles: ")[1].rstrip(".").split(", ") == list(ROLES)
    assert set(ANSWER_TOKENS) == set(ROLES)


@pytest.mark.usefixtures("trusted")
def test_role_models_are_json_or_a_table(monkeypatch):
    write("research.toml", '[role_models]\nreport = "big"\n')
    assert load_core_config().role_models == {"report": "big"}
    monkeypatch.setenv("RESEARCH_ROLE_MODELS", '{"report": "bigger"}')
    assert load_core_config().role_models == {"report": "bigger"}


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("PHASE1_MAX_SEARCHES", "two", "PHASE1_MAX_SEARCHES: input should be a valid integer (got 'two')"),
        ("RESEARCH_PHASE1_MAX_SEARCHES", "99",
         "RESEARCH_PHASE1_MAX_SEARCHES: input should be less than or equal to 50 (got '99')"),
        ("PHASE1_TIMEOUT_SECONDS", "nan",
         "PHASE1_TIMEOUT_SECONDS: input should be a finite number (got 'nan')"),
        ("BROWSER_HEADLESS", "maybe", "BROWSER_HEADLESS: input should be a valid boolean (got 'maybe')"),
        ("RESEARCH_LOG_LEVEL", "LOUD",
         "RESEARCH_LOG_LEVEL: input should be 'DEBUG', 'INFO', 'WARNING' or 'ERROR' (got 'LOUD')"),
        ("RESEARCH_ROLE_MODELS", "report", "RESEARCH_ROLE_MODELS: is not valid JSON (got 'report')"),
        ("RESEARCH_ROLE_MODELS", '{"reporter": "big"}',
         "RESEARCH_ROLE_MODELS: there is no role 'reporter'; known: planner, scorer, extractor, report,"
         " auditor, section_writer, recommender, product_extractor, column_reader, claim_verifier"
         " (got '{\"reporter\": \"big\"}')"),
        ("OPENAI_BASE_URL", "localhost:8888",
         "OPENAI_BASE_URL: must be an http(s) URL such as http://localhost:8080 (got 'localhost:8888')"),
        ("OPENAI_BASE_URL", "ftp://me:hush@host/",
         "OPENAI_BASE_URL: must be an http(s) URL such as http://localhost:8080 (got 'ftp://me:***@host/')"),
        ("RESEARCH_ALLOW_PRIVATE_HOSTS", "10.0.0.0/8 home",
         "RESEARCH_ALLOW_PRIVATE_HOSTS: must be networks such as 127.0.0.0/8 or fd00::/8"
         " (got '10.0.0.0/8 home')"),
    ],
)  # fmt: skip
def test_a_malformed_value_gives_one_line_with_the_name_as_typed(name, value, line, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as raised:
        load_core_config()
    assert str(raised.value) == line
    assert raised.value.__cause__ is None


def test_the_error_for_a_malformed_value_in_a_file_names_the_file():
    write("research.toml", "phase1_max_visits = 'many'")
    with pytest.raises(
        ConfigError, match=r"^phase1_max_visits in research.toml: input should be a valid integer"
    ):
        load_core_config()
    write("research.toml", "[web]\nmaxResults = 0\n")
    with pytest.raises(ConfigError, match=r"^web.maxResults in research.toml: input should be greater"):
        load_core_config()
    Path("research.toml").unlink()
    write(".env", "PHASE1_MAX_VISITS=many")
    with pytest.raises(ConfigError, match=r"^PHASE1_MAX_VISITS in .env: input"):
        load_core_config()


def test_a_long_value_is_shortened_in_the_message(monkeypatch):
    monkeypatch.setenv("PHASE1_MAX_VISITS", "9\n" * 500)
    with pytest.raises(ConfigError) as raised:
        load_core_config()
    assert len(str(raised.value)) < 200 and "\n" not in str(raised.value)


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("setting", ["openai_api_key", "qdrant_api_key"])
def test_a_malformed_secret_is_not_shown(setting):
    write("research.toml", f"{setting} = 987654321")
    with pytest.raises(ConfigError) as raised:
        load_core_config()
    assert "987654321" not in str(raised.value)


def test_two_names_of_one_setting_that_differ_are_an_error_naming_both(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://one")
    monkeypatch.setenv("RESEARCH_OPENAI_BASE_URL", "http://two")
    with pytest.raises(
        ConfigError, match="OPENAI_BASE_URL and RESEARCH_OPENAI_BASE_URL name the same setting"
    ):
        load_core_config()
    monkeypatch.setenv("RESEARCH_OPENAI_BASE_URL", "http://one")
    assert load_core_config().openai_base_url == "http://one"
    assert load_core_config().origins["openai_base_url"] == "environment OPENAI_BASE_URL"


def test_two_differing_names_in_one_file_are_an_error_too():
    write(".env", "REDIS_URL=redis://a\nRESEARCH_REDIS_URL=redis://b\n")
    with pytest.raises(ConfigError, match=r"RESEARCH_REDIS_URL and REDIS_URL in .env name the same setting"):
        load_core_config()
    write(".env", "")
    write("research.toml", "web_max_results = 3\n[web]\nmaxResults = 4\n")
    with pytest.raises(ConfigError, match=r"web_max_results and web.maxResults in research.toml"):
        load_core_config()


def test_different_values_in_different_sources_are_not_an_error(monkeypatch):
    write(".env", "OPENAI_BASE_URL=http://one\n")
    monkeypatch.setenv("RESEARCH_OPENAI_BASE_URL", "http://two")
    assert load_core_config().openai_base_url == "http://two"


@each_case(
    ("text", "match"),
    [
        ("phase1_max_visit = 3", "unknown setting 'phase1_max_visit'"),
        ("[phase1]\nmax_visits = 3", "unknown setting 'phase1'"),
        ("[web]\nmaxResult = 3", "unknown key web.maxResult; known: allowedHosts"),
        ("web = 3", "web must be a table"),
        ("a = ", "is not valid TOML"),
        ("origins = {a = 'b'}", "unknown setting 'origins'"),
        ("phase1_max_visits = " + "[" * 50_000, "nested too deeply"),
        ("a = " + "{b = " * 50_000, "nested too deeply"),
        ("a." * 20_000 + "b = 1", "a key has more than 40 parts"),
        ('"a" . ' * 20_000 + "b = 1", "a key has more than 40 parts"),
        (
            "phase1_timeout_seconds = nan",
            "phase1_timeout_seconds in research.toml: input should be a finite number",
        ),
        ("#" * 1_000_001, "research.toml: the file is longer than 1,000,000 bytes"),
    ],
)
def test_an_unknown_key_or_a_broken_file_gives_one_line_with_the_file(text, match):
    write("research.toml", text)
    with pytest.raises(ConfigError, match=match) as raised:
        load_core_config()
    assert "research.toml" in str(raised.value) and "\n" not in str(raised.value)


def test_a_file_that_is_not_text_gives_one_line():
    Path("research.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"research.toml, line 1: the file is not UTF-8 text"):
        load_core_config()
    Path("research.toml").unlink()
    Path(".env").write_bytes(b"A=\xff\xfe")
    with pytest.raises(ConfigError, match=r".env cannot be read"):
        load_core_config()


def test_config_toml_cannot_set_home(tmp_path):
    write(tmp_path / "home" / "config.toml", "home = '/elsewhere'")
    with pytest.raises(ConfigError, match="unknown setting 'home'"):
        load_core_config()


def test_an_unknown_option_is_refused():
    with pytest.raises(ConfigError, match="there is no setting 'max_visits'"):
        load_core_config(max_visits=3)
    with pytest.raises(ConfigError, match="there is no setting 'origins'"):
        load_core_config(origins={})


def test_every_setting_has_its_own_environment_names():
    names = [name for known in setting_names().values() for name in known]
    assert len(names) == len(set(names))
    assert environment_names("phase1_max_visits") == ("PHASE1_MAX_VISITS", "RESEARCH_PHASE1_MAX_VISITS")
    assert environment_names("log_level") == ("RESEARCH_LOG_LEVEL",)
    assert all(f"RESEARCH_{setting.upper()}" in known for setting, known in setting_names().items())


def test_a_config_is_frozen_and_shows_no_secret():
    config = Config(openai_api_key="sk-hush", home="/data")
    assert "sk-hush" not in repr(config) + str(config.model_dump())
    with pytest.raises(ValueError, match="frozen"):
        config.contact = "x"
